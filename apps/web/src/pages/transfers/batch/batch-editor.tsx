/** The form of a batch, its plan on demand, and the button that sends it. */
import { Group, Stack } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OperationName } from '../../../api/client.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ActButton } from '../../../kit/action/act-button.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { faultsOf, fieldsOf } from '../../../kit/form/fields.ts';
import classes from '../transfers.module.css';
import { BatchFields } from './batch-fields.tsx';
import { type BatchChange, type BatchForm, isComplete } from './batch-form.ts';
import { PlanSummary, PlanView } from './plan-view.tsx';
import type { usePlan } from './use-plan.ts';

interface BatchEditorProps {
  batch: BatchForm;
  /** Must be stable: unchanged lines are not rendered again. */
  onBatch(change: BatchChange): void;
  /** Its body has the fields. */
  operation: OperationName;
  plan: ReturnType<typeof usePlan>;
  error: unknown;
  onSend(): void;
  /** Above the batch. */
  above?: ReactNode;
  /** Beside the button of the plan. */
  beside?: ReactNode;
  /** The button that sends it. */
  children: ReactNode;
}

export function BatchEditor(props: BatchEditorProps) {
  const { batch, onBatch, operation, error, onSend, above, beside, children } = props;
  const t = useMessages('batch');
  const { plan, stale, look } = props.plan;
  const fields = fieldsOf({ value: batch, set: onBatch, faults: faultsOf(error) }, operation);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <Stack gap="lg">
        {above}
        <BatchFields {...fields} onBatch={onBatch} />
        <FaultAlert error={plan.error} />
        {plan.data && <PlanView plan={plan.data} stale={stale} />}
        <FaultAlert error={error} />
        <Group className={classes.actions}>
          <ActButton
            icon={IconListSearch}
            loading={plan.isFetching}
            disabled={!isComplete(batch)}
            onClick={look}
          >
            {plan.data ? t.replan : t.plan}
          </ActButton>
          {beside}
          {plan.data && <PlanSummary plan={plan.data} stale={stale} />}
          {children}
        </Group>
      </Stack>
    </form>
  );
}
