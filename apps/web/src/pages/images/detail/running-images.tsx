/** The namespaces that started an image. */
import { Text } from '@mantine/core';
import type { RunningImages as Running, RunningImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { type Column, defineColumns, timeColumn } from '../../../kit/table/columns.tsx';
import { SortedTable } from '../../../kit/table/sorted-table.tsx';
import { useRunningText } from '../../../kit/text/running-count.tsx';
import type { RepositoryLocation } from '../repository-location.ts';
import { SectionTitle } from './section-title.tsx';

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
    <section>
      <SectionTitle hint={t.lead}>{t.title}</SectionTitle>
      <Text size="sm" mb={8}>
        {text(data.counts)}
      </Text>
      <SortedTable
        rows={data.images}
        first="cluster"
        parameter="running_sort"
        columns={columns}
        keyOf={keyOf}
        inner
      />
      {data.images.length === MOST_LISTED && <Text size="sm">{t.first(MOST_LISTED)}</Text>}
    </section>
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
