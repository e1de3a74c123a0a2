/** Shows the overview: figures, what needs attention, and the first steps. */
import { Skeleton, Text } from '@mantine/core';
import type { DashboardStats } from '@portcullis/contract';
import { SEVERITIES } from '@portcullis/domain';
import { useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { Panel } from '../../kit/layout/panel.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { loadedPart } from '../../kit/loaded-part.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { NoRights, useHasRights } from '../../session/no-rights.tsx';
import { AttentionPanel } from './attention-panel.tsx';
import { Bars } from './bars.tsx';
import { ChangesPanel, useChanges } from './changes-panel.tsx';
import classes from './dashboard.module.css';
import { FindingDaysPanel } from './finding-days-panel.tsx';
import { isBeginning, isBlank } from './first-steps.ts';
import { LargestPanel, VulnerablePanel } from './image-panels.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import { SetupPanel } from './setup-panel.tsx';
import { Tiles } from './tiles.tsx';
import { type Setup, useSetup } from './use-setup.ts';

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
  const changes = useChanges();
  // Shown at once: a panel that comes later would move the others.
  const isLoading = setup.isLoading || changes.isLoading;
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
        {(data) => <Board stats={data} setup={setup} />}
      </QueryView>
    </>
  );
}

function Board({ stats, setup }: { stats: DashboardStats; setup: Setup }) {
  const hasRights = useHasRights();
  if (!hasRights) return <NoRights />;
  return (
    <div className={classes.board}>
      {isBeginning(stats) && <StartPanel stats={stats} />}
      <SetupPanel {...setup} />
      {isBlank(stats) ? <Troubles stats={stats} /> : <Figures stats={stats} />}
    </div>
  );
}

/** The panel above says it of the scanner. */
function Troubles({ stats: { attention } }: { stats: DashboardStats }) {
  const others = attention.filter(({ kind }) => kind !== 'scanner_unavailable');
  return others.length > 0 && <AttentionPanel attention={others} />;
}

function Figures({ stats }: { stats: DashboardStats }) {
  return (
    <>
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
    </>
  );
}

function FindingsPanel({ findings }: Pick<DashboardStats, 'findings'>) {
  const [t, format] = useWords('dashboard');
  const { severity } = useMessages('verdict');
  const { by_severity, fixable, images_scanned, images_unscanned } = findings;
  const images = images_scanned + images_unscanned;
  const total = Object.values(by_severity).reduce((sum, each) => sum + each, 0);
  return (
    <Panel title={t.bySeverity} description={t.bySeverityText}>
      {total === 0 ? (
        <Text c="dimmed">{t.noFindings}</Text>
      ) : (
        <Bars
          headings={[t.bySeverity, t.total]}
          bars={SEVERITIES.map((each) => ({
            key: each,
            name: severity[each],
            value: by_severity[each],
            shown: format.number(by_severity[each]),
            color: `var(--${each.toLowerCase()})`,
          }))}
        />
      )}
      <Dimmed mt="sm">
        {total > 0 && `${t.fixable(fixable)}. `}
        {images === 0 ? t.noImages : t.scannedOf(images_scanned, images)}.
      </Dimmed>
    </Panel>
  );
}

const SHOWN = 12;

function StoragePanel({ folders }: Pick<DashboardStats, 'folders'>) {
  const [t, format] = useWords('dashboard');
  const bySize = [...folders].sort((a, b) => b.bytes - a.bytes).slice(0, SHOWN);
  return (
    <Panel title={t.byFolder} description={t.eachOnce} empty={bySize.length === 0 && t.noStorage}>
      <Bars
        headings={[t.folder, t.size]}
        bars={bySize.map(({ folder, tags, bytes }) => ({
          key: folder,
          name: folder === '__root__' ? t.noFolder : folder,
          value: bytes,
          shown: `${format.bytes(bytes)}, ${t.tags(tags)}`,
        }))}
      />
    </Panel>
  );
}
