/** What opens the gate for a blocked job: who may, and the request of a review. */
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Job, VulnResultView } from '@portcullis/contract';
import { IconShieldCheck } from '@tabler/icons-react';
import { lazy, Suspense, use, useMemo } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useAccount } from '../../../session/account.ts';
import { FindingWaiversContext } from '../findings/finding-waivers.ts';
import { blockingOf } from './blocking.ts';

const ReviewDialog = lazy(() =>
  import('./review-dialog.tsx').then(({ ReviewDialog: Dialog }) => ({ default: Dialog })),
);

interface ReviewActionsProps {
  job: Job;
  result: VulnResultView;
}

export function ReviewActions({ job, result }: ReviewActionsProps) {
  const t = useMessages('review');
  const format = useFormat();
  const { is_admin, can_bypass_vuln_block: bypasses } = useAccount();
  const waivers = use(FindingWaiversContext);
  const [opened, { open, close }] = useDisclosure();
  const blocking = useMemo(() => blockingOf(result), [result]);
  const known = blocking.map(({ id }) => waivers.get(id)?.[0]).filter((each) => each !== undefined);
  const allowed = known.filter(({ in_force }) => in_force).length;
  if (blocking.length === 0) return null;
  const reviews = is_admin || bypasses;
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.who}
      </Text>
      {known.length > 0 && (
        <Text size="sm">
          {t.state(
            format.number(allowed),
            format.number(known.length - allowed),
            format.number(blocking.length),
          )}
        </Text>
      )}
      <Group>
        <Button variant="default" leftSection={<IconShieldCheck size={16} />} onClick={open}>
          {reviews ? t.allow : t.request}
        </Button>
      </Group>
      {opened && (
        <Suspense fallback={null}>
          <ReviewDialog job={job} blocking={blocking} reviews={reviews} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
