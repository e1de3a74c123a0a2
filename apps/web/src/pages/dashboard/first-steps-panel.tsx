/** What this is, and the first steps, on an installation that has delivered no image yet. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { DashboardStats } from '@portcullis/contract';
import { IconCircleCheck, IconCircleDashed, IconClockHour4 } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call, keyOf, useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { Panel } from '../../kit/layout/panel.tsx';
import { CopyableText } from '../../kit/text/copyable-text.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { ToneIcon } from '../../kit/verdict/badge.tsx';
import { useAccount } from '../../session/account.ts';
import { EMPTY_FORM, pullBody, splitReference } from '../pull/pull-form.ts';
import { firstPull, type StartScanner, type StepState, startScanner } from './first-steps.ts';
import classes from './first-steps-panel.module.css';

/** `npm run` finds it in a checkout; see tools/demo. */
const DEMO = 'npm run demo';
const REFRESH_MS = 5_000;

export default function StartPanel({ stats }: { stats: DashboardStats }) {
  const t = useMessages('start');
  const { is_admin: isAdmin } = useAccount();
  const registries = useAnswer('registries.listRegistries');
  const pulled = firstPull(stats);
  return (
    <Panel title={t.title} description={t.lead}>
      <Stack component="ol" gap={20}>
        <Step state={pulled} title={t.pull.title} text={t.pull.text}>
          <FirstPull />
          <ScannerNote />
          {pulled !== 'open' && <Link to="/staging">{t.pull.view}</Link>}
        </Step>
        <Step
          state={(registries.data?.length ?? 0) > 0 ? 'done' : 'open'}
          title={t.registry.title}
          text={t.registry.text}
        >
          <Button component={Link} to="/registries" variant="default" size="xs">
            {t.registry.act}
          </Button>
        </Step>
        {isAdmin && (
          <Step state="open" title={t.samples.title} text={t.samples.text}>
            <CopyableText text={DEMO} label={t.samples.copy} />
          </Step>
        )}
      </Stack>
    </Panel>
  );
}

const ICONS = { open: IconCircleDashed, waiting: IconClockHour4, done: IconCircleCheck };

interface StepProps {
  state: StepState;
  title: string;
  text: string;
  children: ReactNode;
}

function Step({ state, title, text, children }: StepProps) {
  const t = useMessages('start');
  return (
    <Group component="li" gap={10} wrap="nowrap" align="flex-start">
      <ToneIcon
        icon={ICONS[state]}
        tone={state === 'done' ? 'good' : undefined}
        size={20}
        label={t.states[state]}
      />
      <div className={classes.step}>
        <div>
          <Text fw={550}>{title}</Text>
          <Dimmed>{text}</Dimmed>
        </div>
        {children}
      </div>
    </Group>
  );
}

/** When the image that is pulled now can be scanned. */
function ScannerNote() {
  const { data } = useAnswer('system.dependencyHealth', undefined, {
    refetchInterval: ({ state }) =>
      state.data?.dependencies.scanner.ok === true ? false : REFRESH_MS,
  });
  return data && <ScannerState scanner={startScanner(data.dependencies.scanner)} />;
}

function ScannerState({ scanner }: { scanner: StartScanner }) {
  const { scanner: t } = useMessages('start');
  const isReady = scanner.is === 'ready';
  return (
    <Group gap={6} fz="sm" role="status">
      <ToneIcon
        icon={isReady ? IconCircleCheck : IconClockHour4}
        tone={isReady ? 'good' : scanner.is === 'failed' ? 'high' : 'wait'}
        size={16}
      />
      <span>{scanner.is === 'pending' ? t.pending(scanner.minutes) : t[scanner.is]}</span>
    </Group>
  );
}

const EXAMPLE = 'nginx:1.29';

/** One field that pulls an image: a reference as `docker pull` takes it. */
function FirstPull() {
  const t = useMessages('start');
  const [reference, setReference] = useState('');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const pull = useMutation({
    mutationFn: () => call('staging.pull', { body: bodyOf(reference) }),
    onSuccess: (job) => {
      void queries.invalidateQueries({ queryKey: keyOf('dashboard.stats') });
      void navigate(`/staging/${job.job_id}`);
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (reference.trim() !== '') pull.mutate();
  }

  return (
    <>
      <form className={classes.pull} onSubmit={submit} autoComplete="off">
        <TextInput
          aria-label={t.pull.reference}
          placeholder={EXAMPLE}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
          spellCheck={false}
          autoCapitalize="none"
          className={classes.reference}
        />
        <Button type="submit" loading={pull.isPending} disabled={reference.trim() === ''}>
          {t.pull.act}
        </Button>
        <Button component={Link} to="/staging/new" variant="subtle">
          {t.pull.more}
        </Button>
      </form>
      <FaultAlert error={pull.error} />
    </>
  );
}

/** Without a tag it is `latest`, as for other clients. */
function bodyOf(reference: string) {
  const form = splitReference({ ...EMPTY_FORM, image: reference });
  return pullBody({ ...form, tag: form.tag || 'latest' });
}
