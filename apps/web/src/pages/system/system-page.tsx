import { Stack } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { FeedsPanel } from './feeds-panel.tsx';
import { GarbagePanel } from './garbage-panel.tsx';
import { OrphansPanel } from './orphans-panel.tsx';
import { ProcessesPanel } from './processes-panel.tsx';
import { QueuesPanel } from './queues-panel.tsx';
import { ReleaseNote } from './release-note.tsx';
import { ScannerPanel } from './scanner-panel.tsx';
import classes from './system.module.css';

export function Component() {
  const t = useMessages('system');
  return (
    <>
      <PageHead title={t.title} description={<ReleaseNote />} />
      <Stack>
        <ProcessesPanel />
        <QueuesPanel />
        <div className={classes.pair}>
          <Stack>
            <GarbagePanel />
            <OrphansPanel />
          </Stack>
          <Stack>
            <ScannerPanel />
            <FeedsPanel />
          </Stack>
        </div>
      </Stack>
    </>
  );
}
