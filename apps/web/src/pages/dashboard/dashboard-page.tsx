import type { DashboardStats } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/api.ts';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { AttentionPanel } from './attention-panel.tsx';
import { ChangesPanel } from './changes-panel.tsx';
import classes from './dashboard.module.css';
import { FindingDaysPanel } from './finding-days-panel.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { LargestPanel, VulnerablePanel } from './image-panels.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import { SetupPanel } from './setup-panel.tsx';
import { StoragePanel } from './storage-panel.tsx';
import { Tiles } from './tiles.tsx';

const REFRESH_MS = 60_000;

export function Component() {
  const t = useMessages('dashboard');
  const format = useFormat();
  const stats = useQuery({ ...ask('dashboard.stats'), refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHead title={t.title} description={stats.data && t.asOf(format.time(stats.data.as_of))} />
      <QueryView query={stats} rows={4} rowHeight={140}>
        {(data) => <Board stats={data} />}
      </QueryView>
    </>
  );
}

function Board({ stats }: { stats: DashboardStats }) {
  return (
    <div className={classes.board}>
      <SetupPanel />
      <AttentionPanel attention={stats.attention} />
      <ChangesPanel />
      <Tiles stats={stats} />
      <div className={classes.wide}>
        <JobsPanel jobs={stats.jobs} />
        <FindingsPanel findings={stats.findings} />
      </div>
      <div className={classes.wide}>
        <FindingDaysPanel days={stats.findings.per_day} />
        <StoragePanel folders={stats.folders} />
      </div>
      <VulnerablePanel images={stats.top_vulnerable} />
      <LargestPanel repositories={stats.largest} />
    </div>
  );
}
