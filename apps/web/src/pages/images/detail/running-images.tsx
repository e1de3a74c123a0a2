/** The namespaces that started an image. */
import type { RunningImages as Running, RunningImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { type Column, defineColumns, timeColumn } from '../../../kit/table/columns.tsx';
import { useRunningText } from '../../../kit/text/running-count.tsx';
import type { RepositoryLocation } from '../repository-location.ts';
import { DetailTable } from './detail-table.tsx';

const MOST_LISTED = 200;

export function useRunningImages(
  { registryId, repository }: RepositoryLocation,
  digest?: string,
): UseQueryResult<Running> {
  return useAnswer(
    'clusters.listRunningImages',
    { query: { repository, digest: digest ?? '', limit: MOST_LISTED } },
    { enabled: registryId === LOCAL_REGISTRY_ID && digest !== undefined },
  );
}

interface RunningImagesProps {
  place: RepositoryLocation;
  digest: string;
}

/** An error leaves it out, as where nothing is known. */
export function RunningImages({ place, digest }: RunningImagesProps) {
  const t = useMessages('running');
  const text = useRunningText();
  const columns = useColumns();
  const { data } = useRunningImages(place, digest);
  if (!data?.counts) return null;
  return (
    <DetailTable
      title={t.title}
      hint={t.lead}
      summary={text(data.counts)}
      note={data.images.length === MOST_LISTED ? t.first(MOST_LISTED) : null}
      rows={data.images}
      first="cluster"
      parameter="running_sort"
      columns={columns}
      keyOf={keyOf}
    />
  );
}

const keyOf = ({ cluster, namespace, digest }: RunningImage) => `${cluster} ${namespace} ${digest}`;

const useColumns = defineColumns('running', (t): Column<RunningImage>[] => [
  {
    title: t.cluster,
    sort: 'cluster',
    by: ({ cluster }) => cluster,
    cell: ({ cluster }) => cluster,
  },
  {
    title: t.namespace,
    sort: 'namespace',
    by: ({ namespace }) => namespace,
    cell: ({ namespace }) => namespace,
  },
  timeColumn('seen_at', t.seen, { label: t.seen }),
]);
