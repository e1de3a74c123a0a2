/** What an administrator sets up first, until all of it is done or the list is put away. */
import { Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { ToneIcon } from '../../kit/verdict/badge.tsx';
import classes from './dashboard.module.css';
import type { SetupStep } from './setup-steps.ts';
import type { Setup } from './use-setup.ts';

export function SetupPanel({ steps, hide }: Pick<Setup, 'steps' | 'hide'>) {
  const t = useMessages('setup');
  if (steps.length === 0) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Panel
      title={t.title}
      description={t.progress(done, steps.length)}
      actions={<CloseButton aria-label={t.hide} onClick={hide} />}
    >
      <Stack component="ol" gap={12}>
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </Stack>
    </Panel>
  );
}

function Step({ step: { name, to, isDone } }: { step: SetupStep }) {
  const [t, format] = useWords('setup');
  const { title, text } = t.steps[name];
  return (
    <Group component="li" gap={10} wrap="nowrap">
      {isDone ? (
        <ToneIcon icon={IconCircleCheck} tone="good" size={20} label={t.done} />
      ) : (
        <ToneIcon icon={IconCircleDashed} tone={undefined} size={20} label={t.open} />
      )}
      <div className={classes.message}>
        <Text fw={550}>{title}</Text>
        {!isDone && <Dimmed>{text}</Dimmed>}
      </div>
      {!isDone && (
        <Button
          component={Link}
          to={to}
          variant="default"
          size="xs"
          aria-label={`${t.begin}${format.colon}${title}`}
        >
          {t.begin}
        </Button>
      )}
    </Group>
  );
}
