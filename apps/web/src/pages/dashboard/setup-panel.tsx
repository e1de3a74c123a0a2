/** What an administrator sets up first, until all of it is done or the list is put away. */
import { Button, CloseButton, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ask } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { useAccount } from '../../session/account.ts';
import classes from './dashboard.module.css';
import { type SetupStep, setupSteps } from './setup-steps.ts';

const STORAGE_KEY = 'portcullis-setup-hidden';

export function SetupPanel() {
  const { is_admin } = useAccount();
  const [isHidden, setHidden] = useState(() => localStorage.getItem(STORAGE_KEY) === 'true');
  if (!is_admin || isHidden) return null;
  return (
    <Steps
      onHide={() => {
        localStorage.setItem(STORAGE_KEY, 'true');
        setHidden(true);
      }}
    />
  );
}

function Steps({ onHide }: { onHide(): void }) {
  const t = useMessages('setup');
  const one = { query: { limit: 1 } };
  const users = useQuery(ask('users.list', { query: { limit: 2 } }));
  const groups = useQuery(ask('groups.listGroups', one));
  const folders = useQuery(ask('folders.listFolderNames'));
  const registries = useQuery(ask('registries.listRegistries'));
  const scanner = useQuery(ask('trivy.state'));
  const known = [users, groups, folders, registries, scanner];
  // An error leaves the list out: the page shows what matters more.
  if (known.some(({ data }) => data === undefined)) return null;
  const steps = setupSteps({
    users: users.data?.length ?? 0,
    groups: groups.data?.length ?? 0,
    folders: folders.data?.length ?? 0,
    registries: registries.data?.length ?? 0,
    scanner: scanner.data ?? null,
  });
  if (steps.every(({ isDone }) => isDone)) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Panel
      title={t.title}
      description={t.progress(done, steps.length)}
      actions={<CloseButton aria-label={t.hide} onClick={onHide} />}
    >
      <ol className={classes.setup}>
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
    </Panel>
  );
}

function Step({ step: { name, to, isDone } }: { step: SetupStep }) {
  const t = useMessages('setup');
  const { title, text } = t.steps[name];
  const Icon = isDone ? IconCircleCheck : IconCircleDashed;
  return (
    <li>
      <Icon
        size={20}
        className={classes.setupIcon}
        data-done={isDone || undefined}
        aria-label={isDone ? t.done : t.open}
        role="img"
      />
      <div className={classes.message}>
        <Text fw={550}>{title}</Text>
        {!isDone && (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
      </div>
      {!isDone && (
        <Button
          component={Link}
          to={to}
          variant="default"
          size="xs"
          aria-label={`${t.begin}: ${title}`}
        >
          {t.begin}
        </Button>
      )}
    </li>
  );
}
