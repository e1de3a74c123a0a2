/** Shows the state of the installation: its processes, queues, scanner and storage. */
import { SimpleGrid, Stack } from '@mantine/core';
import { useAnswer } from '../../api/api.ts';
import type { AnswerFor } from '../../api/client.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { OutsideLink } from '../../kit/text/outside-link.tsx';
import { FeedsPanel } from './feeds-panel.tsx';
import { GarbagePanel } from './garbage-panel.tsx';
import { OrphansPanel } from './orphans-panel.tsx';
import { ProcessesPanel } from './processes-panel.tsx';
import { QueuesPanel } from './queues-panel.tsx';
import { ScanLimitsPanel } from './scan-limits-panel.tsx';
import { ScannerPanel } from './scanner-panel.tsx';
import { LargestPanel, StoragePanel } from './storage-panels.tsx';

export function Component() {
  const t = useMessages('system');
  return (
    <>
      <PageHead title={t.title} description={<ReleaseNote />} />
      <Stack>
        <ProcessesPanel />
        <QueuesPanel />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
          <Stack>
            <GarbagePanel />
            <OrphansPanel />
          </Stack>
          <Stack>
            <ScannerPanel />
            <ScanLimitsPanel />
            <FeedsPanel />
          </Stack>
        </SimpleGrid>
        <Stored />
      </Stack>
    </>
  );
}

/** What the built-in registry stores. */
function Stored() {
  const { data } = useAnswer('dashboard.stats');
  return (
    data && (
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
        <StoragePanel folders={data.folders} />
        <LargestPanel repositories={data.largest} />
      </SimpleGrid>
    )
  );
}

/** The version of this installation, and the newest release where `RELEASE_CHECK_URL` is set. */
function ReleaseNote() {
  const t = useMessages('system');
  const version = useAnswer('system.version');
  const latest = useAnswer('system.latestVersion', undefined, { retry: false });
  if (!version.data) return t.lead;
  return (
    <>
      <Running {...version.data} />
      {latest.isError && <> · {t.releasesUnavailable}</>}
      {latest.data && <Latest {...latest.data} />}
    </>
  );
}

function Running({ version, commit }: AnswerFor<'system.version'>) {
  const t = useMessages('system');
  return commit ? t.build(version, commit.slice(0, 9)) : t.version(version);
}

function Latest({ latest, newer, url, published_at: at }: AnswerFor<'system.latestVersion'>) {
  const [t, format] = useWords('system');
  if (latest === null) return null;
  if (!newer) return <> · {t.newestRelease}</>;
  const text = at ? t.newerReleaseOf(latest, format.date(at)) : t.newerRelease(latest);
  return <> · {url === null ? text : <OutsideLink href={url}>{text}</OutsideLink>}</>;
}
