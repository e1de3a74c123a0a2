/** The images that run in a cluster, loaded page by page. */
import type { ClusterView, RunningImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconPackages } from '@tabler/icons-react';
import { useMemo } from 'react';
import { page, keyOf as queryKeyOf } from '../../../api/api.ts';
import { useListPages } from '../../../api/list-pages.ts';
import { useWords } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import type { List } from '../../../kit/list/list.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import { type Column, defineColumns, RowName, timeColumn } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { Digest } from '../../../kit/text/digest.tsx';
import { LongName } from '../../../kit/text/long-name.tsx';
import { repositoryPath } from '../../images/repository-location.ts';

export function ClusterImages({ cluster }: { cluster: ClusterView }) {
  const [t, format] = useWords('clusters');
  return (
    <Panel title={t.running} description={leadOf(cluster)} flush>
      <ListView
        panel
        list={useImages(cluster.name)}
        columns={useColumns()}
        words={t}
        empty={<EmptyState icon={IconPackages} title={t.none} />}
      />
    </Panel>
  );

  function leadOf({ silent, reported_at: at }: ClusterView): string {
    if (at === null) return t.startedLead;
    return silent ? t.ranLead(format.dateTime(at)) : t.imagesLead;
  }
}

const OPERATION = 'clusters.listRunningImages';

function useImages(cluster: string): List<RunningImage> {
  const pages = useListPages<RunningImage[]>({
    queryKey: [...queryKeyOf(OPERATION), { cluster }, 'pages'],
    async queryFn({ pageParam: cursor }) {
      const { items, ...rest } = await page(OPERATION, { query: { cluster, cursor } });
      return { ...rest, items: items.images };
    },
  });
  const { data } = pages;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  return {
    ...{ pages, table: { rows, keyOf }, question: cluster, total: null },
    ...{ all: async () => rows, isFiltered: false, clear: () => undefined },
  };
}

const keyOf = ({ repository, digest, namespace }: RunningImage) =>
  `${repository} ${digest} ${namespace}`;

const useColumns = defineColumns('clusters', (t): Column<RunningImage>[] => [
  { id: 'image', title: t.image, width: '55%', cell: (image) => <Name image={image} /> },
  {
    id: 'namespace',
    title: t.namespace,
    label: t.namespace,
    cell: ({ namespace }) => namespace,
  },
  timeColumn('seen_at', t.seen, { label: t.seen }),
]);

/** An image whose tag was moved is found by its digest alone. */
function Name({ image: { repository, tags, digest } }: { image: RunningImage }) {
  const [tag] = tags;
  return (
    <RowName
      to={repositoryPath({ registryId: LOCAL_REGISTRY_ID, repository }, tag)}
      under={
        <span className={table.above}>
          <Digest digest={digest} />
        </span>
      }
    >
      <LongName>{tag === undefined ? repository : `${repository}:${tag}`}</LongName>
    </RowName>
  );
}
