/** What this installation states about an image, signed and stored beside it. */
import type { ImageDetail, ImageStatements } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { type Column, defineColumns } from '../../../kit/table/columns.tsx';
import { Digest } from '../../../kit/text/digest.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import type { RepositoryLocation } from '../repository-location.ts';
import { DetailTable } from './detail-table.tsx';

type Statement = ImageStatements['statements'][number];

interface StatementsProps {
  place: RepositoryLocation;
  image: Pick<ImageDetail, 'digest'>;
}

/** An error leaves them out, as an image that nothing is stated about. */
export function Statements({ place, image: { digest } }: StatementsProps) {
  const t = useMessages('images');
  const columns = useColumns();
  const { data } = useAnswer(
    'images.listImageStatements',
    {
      params: { registry_id: place.registryId },
      query: { repository: place.repository, reference: digest },
    },
    { enabled: place.registryId === LOCAL_REGISTRY_ID },
  );
  return (
    <DetailTable
      title={t.statements}
      hint={t.statementsHint}
      rows={data?.statements ?? []}
      first="kind"
      parameter="statement_sort"
      columns={columns}
      keyOf={keyOf}
    />
  );
}

const keyOf = ({ kind, about }: Statement): string => `${kind} ${about ?? ''}`;

const useColumns = defineColumns('images', (t): Column<Statement>[] => {
  const nameOf = ({ kind }: Statement) => t.statementKinds[kind];
  return [
    { title: t.artifact, sort: 'kind', by: nameOf, cell: nameOf },
    {
      id: 'digest',
      title: t.digest,
      cell: ({ digest, left_out: why, error }) => {
        if (digest !== null) return <Digest digest={digest} />;
        return why === null ? error?.message : t.statementsLeftOut[why];
      },
    },
    {
      title: t.signed,
      sort: 'signed',
      by: ({ signed_at: at }) => at,
      descendsFirst: true,
      cell: ({ digest, signed_at: at }) => digest !== null && at && <RelativeTime at={at} />,
    },
  ];
});
