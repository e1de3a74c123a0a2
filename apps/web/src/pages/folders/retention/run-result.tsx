/** What the last run of a folder's retention did. */
import { Text } from '@mantine/core';
import type { FolderRetention } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';

type Run = NonNullable<FolderRetention['run']>;

export function RunResult({ run }: { run: Run }) {
  const t = useMessages('retention');
  const { finished_at: at, tags_removed: removed, tags_kept: kept, tags_failed: failed } = run;
  return (
    <Text size="sm" c="dimmed" mt="xs" role="status">
      {at === null ? (
        t.running(removed)
      ) : (
        <>
          {run.state === 'failed' ? t.lastRunFailed : t.lastRun} <RelativeTime at={at} />
          {`. ${t.result(removed, kept)}`}
          {failed > 0 && ` ${t.failed(failed)}`}
        </>
      )}
    </Text>
  );
}
