import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { FeedsPanel } from './feeds-panel.tsx';
import { GarbagePanel } from './garbage-panel.tsx';
import { OrphansPanel } from './orphans-panel.tsx';
import { ProcessesPanel } from './processes-panel.tsx';
import { QueuesPanel } from './queues-panel.tsx';
import { ScannerPanel } from './scanner-panel.tsx';
import classes from './system.module.css';

export function Component() {
  const t = useMessages('system');
  const version = useQuery(ask('system.version'));
  return (
    <>
      <PageHead
        title={t.title}
        description={version.data ? t.version(version.data.version, version.data.commit) : t.lead}
      />
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
