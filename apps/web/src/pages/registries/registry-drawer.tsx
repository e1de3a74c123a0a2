/** Creates or changes a saved registry, and tests the connection to it. */

import { Button, Group, Stack, Text } from '@mantine/core';
import type { Registry, RegistryCheck } from '@portcullis/contract';
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconPlugConnected,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call, keyOf } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { FormDialog } from '../../kit/dialog/form-dialog.tsx';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { type Tone, ToneIcon } from '../../kit/verdict/badge.tsx';
import { useAccount } from '../../session/account.ts';
import { CheckFault } from './check-fault.tsx';
import { type CheckStep, stepsOf } from './check-steps.ts';
import classes from './registries.module.css';
import { RegistryFields } from './registry-fields.tsx';
import {
  changeOf,
  type Edited,
  emptyForm,
  formOf,
  hostOf,
  needsPasswordAgain,
  newRegistryOf,
  probeOf,
  type RegistryForm,
} from './registry-form.ts';

export function RegistryDrawer({ edited, onClose }: { edited: Edited; onClose(): void }) {
  const t = useMessages('registries');
  const { is_admin } = useAccount();
  const registry = edited === 'new' ? null : edited;
  return (
    <FormDialog
      opened={edited !== null}
      drawer={520}
      title={registry === null ? t.addTitle : t.editTitle(registry.name)}
      operation="registries.createRegistry"
      first={registry === null ? emptyForm(is_admin) : formOf(registry)}
      isReady={(form) => !needsPasswordAgain(form, registry)}
      send={(form) => save(form, registry)}
      done={({ name }) => t.saved(name)}
      lists={[keyOf('registries.listRegistries')]}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <RegistryFields {...fields} registry={registry} />
          <ConnectionTest form={fields.value} registry={registry} />
        </>
      )}
    </FormDialog>
  );
}

function save(form: RegistryForm, registry: Registry | null): Promise<Registry> {
  if (registry === null) return call('registries.createRegistry', { body: newRegistryOf(form) });
  const body = changeOf(form, registry.policy_id);
  return call('registries.updateRegistry', { params: { id: registry.id }, body });
}

interface ConnectionTestProps {
  form: RegistryForm;
  registry: Registry | null;
}

/**
 * Tests the connection to a registry, and shows each step. Tests the form's values; with a stored
 * password it tests the saved registry.
 */
function ConnectionTest({ form, registry }: ConnectionTestProps) {
  const t = useMessages('registries');
  const stored = registry?.has_password === true && form.password === '' && form.username !== '';
  const test = useMutation({
    mutationFn: () =>
      stored && registry
        ? call('registries.checkRegistry', { params: { id: registry.id } })
        : call('registries.probeRegistry', { body: probeOf(form) }),
  });
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconPlugConnected size={16} />}
        loading={test.isPending}
        disabled={hostOf(form.host) === ''}
        onClick={() => test.mutate()}
      >
        {t.test}
      </Button>
      <div aria-live="polite">
        <FaultAlert error={test.error} />
        {test.data && <Outcome check={test.data} />}
      </div>
    </div>
  );
}

function Outcome({ check }: { check: RegistryCheck }) {
  const [t, format] = useWords('registries');
  return (
    <div className={classes.outcome}>
      <Stack component="ol" gap={6}>
        {stepsOf(check).map((step) => (
          <Step key={step.name} {...step} />
        ))}
      </Stack>
      {!check.authenticated && <CheckFault check={check} />}
      {check.reachable && <Dimmed>{t.latency(format.milliseconds(check.latency_ms))}</Dimmed>}
    </div>
  );
}

const LOOKS: Record<CheckStep['state'], [typeof IconCircleX, Tone?]> = {
  passed: [IconCircleCheck, 'good'],
  failed: [IconCircleX, 'critical'],
  optional: [IconCircleDashed],
  skipped: [IconCircleDashed],
};

function Step({ name, state }: CheckStep) {
  const [t, format] = useWords('registries');
  const [icon, tone] = LOOKS[state];
  return (
    <Group component="li" gap={9} wrap="nowrap">
      <ToneIcon icon={icon} tone={tone} />
      <span>
        {t.steps[name]}
        {format.colon}
        <Text span c={state === 'failed' ? undefined : 'dimmed'}>
          {t.states[state]}
        </Text>
      </span>
    </Group>
  );
}
