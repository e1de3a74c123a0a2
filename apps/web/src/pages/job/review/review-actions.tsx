/** What opens the gate for a blocked job: who may, and the request of a review. */
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Job } from '@portcullis/contract';
import { IconShieldCheck } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useAccount } from '../../../session/account.ts';
import { Reviewers } from '../../../session/contacts.tsx';
import { useReviewState } from './use-review-state.ts';

const ReviewDialog = lazy(() =>
  import('./review-dialog.tsx').then(({ ReviewDialog: Dialog }) => ({ default: Dialog })),
);

export function ReviewActions({ job }: { job: Job }) {
  const t = useMessages('review');
  const format = useFormat();
  const { is_admin, can_bypass_vuln_block: bypasses } = useAccount();
  const [opened, { open, close }] = useDisclosure();
  const { blocking, allowed, requested, isRefused } = useReviewState(job);
  if (blocking.length === 0) return null;
  const reviews = is_admin || bypasses;
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.who}
      </Text>
      <Reviewers folder={undefined} />
      {allowed + requested > 0 && (
        <Text size="sm">
          {t.state(
            format.number(allowed),
            format.number(requested),
            format.number(blocking.length),
          )}
        </Text>
      )}
      <Group>
        <Button
          variant={isRefused && requested === 0 ? 'filled' : 'default'}
          leftSection={<IconShieldCheck size={16} />}
          onClick={open}
        >
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
