/** One cluster: who reports it, when it did so last, and which images run there. */
import { Button, Stack } from '@mantine/core';
import type { ClusterView } from '@portcullis/contract';
import { IconTopologyStar3 } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { RemovalDialog } from '../../../kit/action/confirmed-act.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Breadcrumbs, PageHead } from '../../../kit/layout/page-head.tsx';
import { FactList, Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { ClusterImages } from './cluster-images.tsx';
import { ClusterState } from './cluster-state.tsx';

const LIST = '/settings/clusters';

interface ClusterPageProps {
  clusters: UseQueryResult<ClusterView[]>;
  name: string;
}

export function ClusterPage({ clusters, name }: ClusterPageProps) {
  const t = useMessages('clusters');
  return (
    <>
      <Breadcrumbs label={t.title} parents={[{ name: t.title, to: LIST }]} />
      <QueryView query={clusters} rows={3} rowHeight={120}>
        {(found) => {
          const cluster = found.find((each) => each.name === name);
          return cluster ? <Cluster cluster={cluster} /> : <Unknown />;
        }}
      </QueryView>
    </>
  );
}

function Unknown() {
  const t = useMessages('clusters');
  return (
    <EmptyState page icon={IconTopologyStar3} title={t.unknownTitle} text={t.unknownText}>
      <Button component={Link} to={LIST} variant="default">
        {t.back}
      </Button>
    </EmptyState>
  );
}

function Cluster({ cluster }: { cluster: ClusterView }) {
  return (
    <>
      <PageHead title={cluster.name}>
        <Release name={cluster.name} />
      </PageHead>
      <Stack>
        <Facts cluster={cluster} />
        <ClusterImages cluster={cluster} />
      </Stack>
    </>
  );
}

function Release({ name }: { name: string }) {
  const t = useMessages('clusters');
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t.release}
      </Button>
      <RemovalDialog
        opened={isAsked}
        name={name}
        words={t}
        run={() => call('clusters.removeCluster', { params: { name } })}
        lists={[keyOf('clusters.listClusters'), keyOf('clusters.listRunningImages')]}
        onDone={async () => {
          await navigate(LIST);
        }}
        onClose={() => setAsked(false)}
      >
        {t.removeText}
      </RemovalDialog>
    </>
  );
}

function Facts({ cluster }: { cluster: ClusterView }) {
  const t = useMessages('clusters');
  const { reporter, reported_at: at, reported, not_known: notKnown, admitted } = cluster;
  return (
    <Panel title={t.facts}>
      <FactList
        facts={[
          [t.state, <ClusterState key="state" cluster={cluster} />],
          [t.lastReport, at !== null && <RelativeTime key="at" at={at} />],
          [t.reporter, at === null ? null : (reporter?.name ?? t.noReporter)],
          [t.running, at === null ? null : t.byNamespace(reported)],
          [t.notKnownName, notKnown > 0 && t.notKnownText(notKnown)],
          [t.admittedName, admitted > 0 && t.byNamespace(admitted)],
        ]}
      />
    </Panel>
  );
}
