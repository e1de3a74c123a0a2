/** Tests the connection to a registry, and shows each step. */
import { Button, Text } from '@mantine/core';
import type { Registry, RegistryCheck } from '@portcullis/contract';
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconPlugConnected,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { CheckFault } from './check-fault.tsx';
import { type CheckStep, stepsOf } from './check-steps.ts';
import classes from './registries.module.css';
import { hostOf, probeOf, type RegistryForm } from './registry-form.ts';

interface ConnectionTestProps {
  form: RegistryForm;
  registry: Registry | null;
}

/** Tests the form's values; with a stored password it tests the saved registry. */
export function ConnectionTest({ form, registry }: ConnectionTestProps) {
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
      <ol className={classes.steps}>
        {stepsOf(check).map((step) => (
          <Step key={step.name} {...step} />
        ))}
      </ol>
      {!check.authenticated && <CheckFault check={check} />}
      {check.reachable && <Dimmed>{t.latency(format.milliseconds(check.latency_ms))}</Dimmed>}
    </div>
  );
}

const ICONS = {
  passed: IconCircleCheck,
  failed: IconCircleX,
  optional: IconCircleDashed,
  skipped: IconCircleDashed,
};

function Step({ name, state }: CheckStep) {
  const [t, format] = useWords('registries');
  const Icon = ICONS[state];
  return (
    <li className={classes.step} data-state={state}>
      <Icon size={18} stroke={1.8} aria-hidden="true" />
      <span>
        {t.steps[name]}
        {format.colon}
        <Text span c={state === 'failed' ? undefined : 'dimmed'}>
          {t.states[state]}
        </Text>
      </span>
    </li>
  );
}
