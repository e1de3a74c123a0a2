/** Shows the overview: what an account has to do and to know, by what it may do. */
import { Skeleton } from '@mantine/core';
import type { DashboardStats } from '@portcullis/contract';
import { useAnswer } from '../../api/api.ts';
import { useWords } from '../../i18n/messages.ts';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { loadedPart } from '../../kit/loaded-part.tsx';
import { useAccount } from '../../session/account.ts';
import { NoRights, useHasRights } from '../../session/no-rights.tsx';
import { isReviewer } from '../waivers/reviewer.ts';
import { AttentionPanel } from './attention-panel.tsx';
import { ChangesPanel, useChanges } from './changes-panel.tsx';
import classes from './dashboard.module.css';
import { isBeginning, isBlank } from './first-steps.ts';
import { type HomePart, homeOf, mayWork } from './home.ts';
import { RecentJobs, useRecentJobs } from './recent-jobs.tsx';
import { SetupPanel } from './setup-panel.tsx';
import { Tiles } from './tiles.tsx';
import { type Setup, useSetup } from './use-setup.ts';
import { useWaitingReviews, WaitingReviews } from './waiting-reviews.tsx';

const REFRESH_MS = 60_000;
/** Of the panel once it is loaded, so that nothing moves. */
const START_HEIGHT = 420;
/** Loaded where no image was delivered yet. */
const StartPanel = loadedPart(
  () => import('./first-steps-panel.tsx'),
  <Skeleton height={START_HEIGHT} />,
);
/** Keeps the line. */
const NO_TEXT = '\u00a0';

export function Component() {
  const [t, format] = useWords('dashboard');
  const stats = useAnswer('dashboard.stats', undefined, { refetchInterval: REFRESH_MS });
  const setup = useSetup();
  const parts = homeOf(useAccount());
  const changes = useChanges();
  const jobs = useRecentJobs(parts.includes('jobs'));
  const reviews = useWaitingReviews(parts.includes('reviews'));
  // Shown at once: a panel that comes later would move the others.
  const isLoading = [setup, changes, jobs, reviews].some((each) => each.isLoading);
  return (
    <>
      <PageHead
        title={t.title}
        description={stats.data ? t.asOf(format.time(stats.data.as_of)) : NO_TEXT}
      />
      <QueryView
        query={{
          data: isLoading ? undefined : stats.data,
          error: stats.error,
          isError: stats.isError,
          refetch: stats.refetch,
        }}
        rows={4}
        rowHeight={140}
      >
        {(data) => <Board stats={data} setup={setup} parts={parts} />}
      </QueryView>
    </>
  );
}

interface BoardProps {
  stats: DashboardStats;
  setup: Setup;
  parts: HomePart[];
}

function Board({ stats, setup, parts }: BoardProps) {
  const account = useAccount();
  const hasRights = useHasRights();
  if (!hasRights && !isReviewer(account)) return <NoRights />;
  const begins = mayWork(account) && isBeginning(stats);
  return (
    <div className={classes.board}>
      {begins && <StartPanel stats={stats} />}
      <SetupPanel {...setup} />
      {begins && isBlank(stats) ? (
        <Troubles stats={stats} />
      ) : (
        parts.map((part) => <Part key={part} part={part} stats={stats} />)
      )}
    </div>
  );
}

/** The panel above says it of the scanner. */
function Troubles({ stats: { attention } }: { stats: DashboardStats }) {
  const others = attention.filter(({ kind }) => kind !== 'scanner_unavailable');
  return others.length > 0 && <AttentionPanel attention={others} />;
}

function Part({ part, stats }: { part: HomePart; stats: DashboardStats }) {
  switch (part) {
    case 'attention':
      return <AttentionPanel attention={stats.attention} />;
    case 'reviews':
      return <WaitingReviews />;
    case 'changes':
      return <ChangesPanel />;
    case 'jobs':
      return <RecentJobs />;
    case 'figures':
      return <Tiles stats={stats} />;
  }
}
