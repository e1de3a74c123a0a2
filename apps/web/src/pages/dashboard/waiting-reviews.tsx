/** The review requests that wait for the caller, the longest first on the page of reviews. */
import { Anchor } from '@mantine/core';
import type { Review } from '@portcullis/contract';
import { Link } from 'react-router';
import { useAnswer } from '../../api/api.ts';
import { useWords } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { type Column, defineColumns, quiet, RowName } from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { AskedFacts } from '../reviews/asked-facts.tsx';
import { destinationName, imageName } from '../reviews/review-names.ts';

const REFRESH_MS = 60_000;
const MOST = 5;
const REQUEST = { query: { to_decide: 'true' as const, limit: MOST } };

/** One request for the page and its panel. */
export const useWaitingReviews = (enabled: boolean) =>
  useAnswer('reviews.list', REQUEST, { enabled, refetchInterval: REFRESH_MS });

export function WaitingReviews() {
  const [t, format] = useWords('dashboard');
  const { data = [] } = useWaitingReviews(true);
  const { data: count } = useAnswer('reviews.count');
  const more = count && count.to_decide > data.length ? ` (${format.number(count.to_decide)})` : '';
  const columns = useColumns();
  if (data.length === 0) return null;
  return (
    <Panel
      title={t.reviews}
      flush
      actions={
        <Anchor component={Link} to="/reviews?show=waiting" size="sm">
          {t.allReviews}
          {more}
        </Anchor>
      }
    >
      <DataTable rows={data} columns={columns} keyOf={numberOf} className={table.inner} />
    </Panel>
  );
}

const numberOf = ({ number }: Review) => String(number);

const useColumns = defineColumns('dashboard', (t): Column<Review>[] => [
  {
    id: 'image',
    title: t.image,
    cell: ({ number, image, destination }) => (
      <RowName to={`/reviews?show=waiting&open=${number}`} under={destinationName(destination)}>
        <LongName>{imageName(image)}</LongName>
      </RowName>
    ),
  },
  {
    id: 'findings',
    title: t.findings,
    cell: (review) => (
      <span className={table.badges}>
        <AskedFacts review={review} />
      </span>
    ),
  },
  quiet({ id: 'by', title: t.requestedBy, cell: ({ requested_by: by }) => by.username }),
  quiet({
    id: 'at',
    title: t.requested,
    cell: ({ created_at: at }) => <RelativeTime at={at} />,
  }),
]);
