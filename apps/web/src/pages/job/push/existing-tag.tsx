import { Text } from '@mantine/core';
import type { Job, PushPreview } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { Digest } from '../../../kit/text/digest.tsx';

interface ExistingTagProps {
  job: Job;
  preview: PushPreview;
  registryId: string | null;
}

/** Whether the destination tag exists. Shows nothing if that cannot be read. */
export function ExistingTag({ job, preview, registryId }: ExistingTagProps) {
  const t = useMessages('push');
  const registry = preview.local ? LOCAL_REGISTRY_ID : registryId;
  const { repository, tag } = preview;
  const there = useQuery({
    ...ask('images.findImageTag', {
      params: { registry_id: registry ?? '' },
      query: { repository, tag },
    }),
    enabled: registry !== null,
    staleTime: 0,
    retry: false,
  });
  if (!there.data) return null;
  const { digest } = there.data;
  if (digest === null) return <StatusText>{t.nothingThere}</StatusText>;
  if (digest === job.digest) return <StatusText>{t.sameThere}</StatusText>;
  return (
    <Text size="sm" c="var(--high)" component="div">
      {t.replaces} <Digest digest={digest} />
    </Text>
  );
}

function StatusText({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
