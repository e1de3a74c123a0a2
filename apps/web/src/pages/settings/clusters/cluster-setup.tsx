/** What makes a cluster say what it runs, with the commands to copy. */

import { GUIDE } from 'virtual:guide';
import { Anchor, Modal, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import { CopyableText } from '../../../kit/text/copyable-text.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { OutsideLink } from '../../../kit/text/outside-link.tsx';
import { SETUP_COMMANDS } from './setup-commands.ts';

const COMMANDS = ['here', 'elsewhere', 'webhook'] as const;

export function ClusterSetup() {
  const t = useMessages('clusters');
  return (
    <Stack gap="md" ta="start" maw={680} w="100%">
      <Dimmed>{t.addLead}</Dimmed>
      <Stack component="ol" gap="md">
        <Step {...t.steps.robot}>
          <Anchor component={Link} to="/settings/robots" size="sm">
            {t.robots}
          </Anchor>
        </Step>
        {COMMANDS.map((name) => (
          <Step key={name} {...t.steps[name]}>
            <CopyableText text={SETUP_COMMANDS[name]} label={t.copy} />
          </Step>
        ))}
      </Stack>
      <OutsideLink href={`${GUIDE}/kubernetes.md`}>{t.guide}</OutsideLink>
    </Stack>
  );
}

interface StepProps {
  title: string;
  text: string;
  children: React.ReactNode;
}

function Step({ title, text, children }: StepProps) {
  return (
    <Stack component="li" gap={4}>
      <Text fw={550}>{title}</Text>
      <Dimmed style={{ overflowWrap: 'anywhere' }}>{text}</Dimmed>
      {children}
    </Stack>
  );
}

export function ClusterSetupDialog({ onClose }: { onClose(): void }) {
  const t = useMessages('clusters');
  return (
    <Modal opened onClose={onClose} title={t.add} size="lg">
      <ClusterSetup />
    </Modal>
  );
}
