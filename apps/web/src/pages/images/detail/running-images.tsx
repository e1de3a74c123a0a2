/** The namespaces that started an image. */
import type { RunningImages as Running, RunningImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { type Column, defineColumns, timeColumn } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { useSilenceNote } from '../../../kit/text/running-count.tsx';
import { silenceOf } from '../../../kit/text/silence.ts';
import { Badge } from '../../../kit/verdict/badge.tsx';
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
  const summaryOf = useSummary();
  const columns = useColumns();
  const { data } = useRunningImages(place, digest);
  if (!data?.counts) return null;
  return (
    <DetailTable
      title={t.title}
      hint={t.lead}
      summary={summaryOf(data.counts, data.images)}
      note={data.images.length === MOST_LISTED ? t.first(MOST_LISTED) : null}
      rows={data.images}
      first="cluster"
      parameter="running_sort"
      columns={columns}
      keyOf={keyOf}
    />
  );
}

/** Absence is no statement: what a silent cluster runs now is not known. */
function useSummary() {
  const [t, format] = useWords('running');
  const noteOf = useSilenceNote();
  return (counts: NonNullable<Running['counts']>, [first]: readonly RunningImage[]): string => {
    const { namespaces, clusters, seen_at: at } = counts;
    const places = t.places(namespaces, clusters);
    const silence = silenceOf(counts);
    if (silence === 'none') return places;
    if (silence === 'all' && clusters === 1 && first)
      return `${t.wasRunning(namespaces, first.cluster, format.dateTime(at))} ${t.nowUnknown}`;
    return `${places}, ${noteOf(counts)}. ${t.nowUnknown}`;
  };
}

const keyOf = ({ cluster, namespace, digest }: RunningImage) => `${cluster} ${namespace} ${digest}`;

function Cluster({ image: { cluster, silent } }: { image: RunningImage }) {
  const t = useMessages('running');
  return (
    <span className={table.badges}>
      {cluster}
      {silent && <Badge tone="high">{t.silent}</Badge>}
    </span>
  );
}

const useColumns = defineColumns('running', (t): Column<RunningImage>[] => [
  {
    title: t.cluster,
    sort: 'cluster',
    by: ({ cluster }) => cluster,
    cell: (image) => <Cluster image={image} />,
  },
  {
    title: t.namespace,
    sort: 'namespace',
    by: ({ namespace }) => namespace,
    cell: ({ namespace }) => namespace,
  },
  timeColumn('seen_at', t.seen, { label: t.seen }),
]);
