/** The page *Clusters*: which of them say what they run, which fell silent, and each of them. */
import type { ClusterView } from '@portcullis/contract';
import { IconTopologyStar3 } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { NewButton } from '../../../kit/action/new-button.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { useWholeList, type WholeList } from '../../../kit/list/use-whole-list.ts';
import { type Column, defineColumns, RowName } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { ClusterPage } from './cluster-page.tsx';
import { ClusterSetup, ClusterSetupDialog } from './cluster-setup.tsx';
import { ClusterState } from './cluster-state.tsx';

const CLUSTERS: WholeList<ClusterView> = {
  keyOf: ({ name }) => name,
  values: {
    name: ({ name }) => name,
    reported_at: ({ reported_at: at }) => at,
    running: ({ reported, admitted }) => Math.max(reported, admitted),
  },
  first: 'name',
};

/** An agent reports at most every five seconds; a list that is open shows who fell silent. */
const REFRESH_MS = 30_000;

export function Component() {
  const { name } = useParams();
  const clusters = useAnswer('clusters.listClusters', undefined, { refetchInterval: REFRESH_MS });
  if (name === undefined) return <ClustersPage clusters={clusters} />;
  return <ClusterPage clusters={clusters} name={name} />;
}

function ClustersPage({ clusters }: { clusters: UseQueryResult<ClusterView[]> }) {
  const t = useMessages('clusters');
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {clusters.data?.length !== 0 && (
          <NewButton onClick={() => setAdding(true)}>{t.add}</NewButton>
        )}
      </PageHead>
      <ListView
        list={useWholeList(clusters, CLUSTERS)}
        columns={useColumns()}
        rowHeight={62}
        empty={
          <EmptyState icon={IconTopologyStar3} title={t.emptyTitle} text={t.emptyText}>
            <ClusterSetup />
          </EmptyState>
        }
      />
      {isAdding && <ClusterSetupDialog onClose={() => setAdding(false)} />}
    </>
  );
}

const useColumns = defineColumns('clusters', (t): Column<ClusterView>[] => [
  {
    title: t.name,
    sort: 'name',
    cell: ({ name }) => (
      <RowName to={`/settings/clusters/${encodeURIComponent(name)}`}>{name}</RowName>
    ),
  },
  {
    id: 'state',
    title: t.state,
    width: '30%',
    cell: (cluster) => <ClusterState cluster={cluster} />,
  },
  {
    title: t.lastReport,
    sort: 'reported_at',
    label: t.lastReport,
    descendsFirst: true,
    className: table.quiet,
    cell: (cluster) => <LastReport cluster={cluster} />,
  },
  {
    title: t.running,
    sort: 'running',
    descendsFirst: true,
    className: table.quiet,
    cell: (cluster) => <Counts cluster={cluster} />,
  },
]);

function LastReport({ cluster: { reported_at: at, reporter } }: { cluster: ClusterView }) {
  const t = useMessages('clusters');
  if (at === null) return t.never;
  return (
    <>
      <RelativeTime at={at} />
      <span className={table.under}>{reporter?.name ?? t.noReporter}</span>
    </>
  );
}

function Counts({ cluster }: { cluster: ClusterView }) {
  const t = useMessages('clusters');
  const { reported_at: at, reported, not_known: notKnown, admitted } = cluster;
  return (
    <>
      {at !== null && t.byNamespace(reported)}
      {notKnown > 0 && <span className={table.under}>{t.notKnown(notKnown)}</span>}
      {admitted > 0 && (
        <span className={at === null ? undefined : table.under}>{t.admitted(admitted)}</span>
      )}
    </>
  );
}
