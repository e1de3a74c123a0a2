import { Button, Group, Stack, Text } from '@mantine/core';
import type { OidcSettings, OidcTest, OidcTestStep } from '@portcullis/contract';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { ServerDetails, useKnownFaultText } from '../../../kit/fault/job-fault.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { Badge, ToneIcon } from '../../../kit/verdict/badge.tsx';
import { stepWords } from './step-words.ts';

/** Tests the provider and shows each step. */
export function OidcTestPanel({ changes }: { changes: Partial<OidcSettings> }) {
  const t = useMessages('oidc');
  const test = useMutation({ mutationFn: () => call('oidc.test', { body: changes }) });
  return (
    <Panel title={t.test} description={t.testLead}>
      <Stack gap="sm" align="flex-start">
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {t.test}
        </Button>
        <div aria-live="polite">
          <FaultAlert error={test.error} />
          {test.data && <Steps {...test.data} />}
        </div>
      </Stack>
    </Panel>
  );
}

function Steps({ success, steps }: OidcTest) {
  const t = useMessages('oidc');
  return (
    <Stack gap="xs" align="flex-start">
      <Badge tone={success ? 'good' : 'critical'}>{success ? t.works : t.fails}</Badge>
      <Stack component="ol" gap={8}>
        {steps.map((step) => (
          <Step key={step.name} {...step} />
        ))}
      </Stack>
    </Stack>
  );
}

function Step({ name, ok, code, params, detail }: OidcTestStep) {
  const t = useMessages('oidcTest');
  const known = useKnownFaultText();
  const fault = String(params.fault ?? '');
  const words = [stepWords({ code, params }, t), t.faults[fault] ?? known(fault)];
  const reason = String(params.reason ?? '');
  return (
    <Group component="li" gap={8} wrap="nowrap" align="flex-start">
      <ToneIcon icon={ok ? IconCircleCheck : IconCircleX} tone={ok ? 'good' : 'critical'} />
      <div>
        <Text fw={550}>{t.steps[name]}</Text>
        <Dimmed>{words.filter(Boolean).join(' ') || <span lang="en">{detail}</span>}</Dimmed>
        {reason !== '' && <ServerDetails>{reason}</ServerDetails>}
      </div>
    </Group>
  );
}
