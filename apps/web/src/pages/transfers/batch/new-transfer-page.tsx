import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconArrowsTransferUp, IconCalendarClock, IconListSearch } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { useKeptDraft } from '../../../kit/form/kept-draft.ts';
import { Breadcrumbs } from '../../../kit/layout/breadcrumbs.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { useImpliedFolder, useRegistryChoices } from '../transfer-registries.ts';
import classes from '../transfers.module.css';
import { BatchFields } from './batch-fields.tsx';
import {
  type BatchChange,
  type BatchForm,
  batchBody,
  changedBatch,
  emptyBatch,
  filled,
  isComplete,
  readLines,
  restoredBatch,
} from './batch-form.ts';
import { PlanSummary, PlanView } from './plan-view.tsx';
import { usePlan } from './use-plan.ts';

export function Component() {
  const t = useMessages('batch');
  const words = useMessages('transfers');
  const [search] = useSearchParams();
  const ends = useRegistryChoices();
  const folder = useImpliedFolder();
  return (
    <>
      <Breadcrumbs label={words.title} parents={[{ name: words.back, to: '/transfers' }]} />
      <PageHead title={t.title} />
      {ends.length === 0 || folder === undefined ? (
        <Skeleton height={320} />
      ) : (
        <Builder begun={{ ...begun(search, ends), folder }} />
      )}
    </>
  );
}

/** The initial form, from the link of an image page. */
function begun(search: URLSearchParams, ends: readonly { value: string }[]): BatchForm {
  const from = search.get('from') ?? '';
  const image = search.get('image') ?? '';
  const other = ends.find(({ value }) => value !== from)?.value;
  const entries = readLines(image).map((entry) =>
    image.includes(':') ? entry : { ...entry, match: 'glob' as const, text: '*' },
  );
  return emptyBatch({
    from,
    entries,
    ...(from === LOCAL_REGISTRY_ID && other !== undefined && { to: other }),
  });
}

function useStart(form: BatchForm, sent: () => void) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call('transfers.transfer', { body: batchBody(form) }),
    onSuccess({ transfer_id }) {
      sent();
      void queries.invalidateQueries({ queryKey: keyOf('transfers.listTransfers') });
      void navigate(`/transfers/${transfer_id}`);
    },
  });
}

function Builder({ begun: first }: { begun: BatchForm }) {
  const t = useMessages('batch');
  const { value: form, set: setForm, sent } = useKeptDraft(first, restoredBatch);
  const set = useCallback(
    (change: BatchChange) => setForm((before) => changedBatch(before, change)),
    [setForm],
  );
  const { plan, stale, look } = usePlan(form);
  const start = useStart(form, sent);
  const fields = faultsOf(start.error);
  const refused = !stale && (plan.data?.totals.refused ?? 0) > 0;
  const images = stale ? 0 : (plan.data?.totals.images ?? 0);
  const ready = isComplete(form);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <Stack gap="lg">
        <BatchFields form={form} set={set} faults={fields} />
        <FaultAlert error={plan.error} />
        {plan.data && <PlanView plan={plan.data} stale={stale} />}
        <FaultAlert error={start.error} />
        <Group className={classes.actions}>
          <Button
            variant="default"
            leftSection={<IconListSearch size={16} />}
            loading={plan.isFetching}
            disabled={!ready}
            onClick={look}
          >
            {plan.data ? t.replan : t.plan}
          </Button>
          <ScheduleLink form={form} onFollow={sent} />
          {plan.data && <PlanSummary plan={plan.data} stale={stale} />}
          <Button
            type="submit"
            ml="auto"
            leftSection={<IconArrowsTransferUp size={16} />}
            loading={start.isPending}
            disabled={!ready || refused}
          >
            {images > 0 ? t.start(images) : t.startUnplanned}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Opens the schedule form with the current lines. */
function ScheduleLink({ form, onFollow }: { form: BatchForm; onFollow(): void }) {
  const t = useMessages('batch');
  return (
    <Button
      component={Link}
      to="/transfers/schedules/new"
      onClick={onFollow}
      state={{ batch: { ...form, entries: filled(form.entries) } }}
      variant="default"
      leftSection={<IconCalendarClock size={16} />}
    >
      {t.schedule}
    </Button>
  );
}

export function faultsOf(error: unknown): Record<string, string> {
  return isProblem(error) ? error.fields : {};
}
