/** Images that were blocked or pass again, the newest changes first. */
import { Button } from '@mantine/core';
import type { GateChanges } from '@portcullis/contract';
import { useState } from 'react';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { type Column, defineColumns, RowName } from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import table from '../../kit/table/table.module.css';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { VerdictBadge } from '../../kit/verdict/verdict-badge.tsx';
import classes from './dashboard.module.css';

/** The largest page of the API. */
const WHOLE = { query: { limit: 200 } };
const MOST_NAMED = 3;

export function ChangedImages({ changes }: { changes: GateChanges }) {
  const t = useMessages('dashboard');
  const [isWhole, setWhole] = useState(false);
  const whole = useAnswer('gate.gateChanges', WHOLE, { enabled: isWhole });
  const { items, blocked, cleared } = whole.data ?? changes;
  const columns = useColumns();
  const more = blocked + cleared - items.length;
  if (items.length === 0) return null;
  return (
    <>
      <DataTable rows={items} columns={columns} keyOf={imageKey} className={table.inner} />
      {more > 0 && (
        <div className={classes.foot}>
          {whole.data === undefined ? (
            <Button
              variant="subtle"
              size="compact-sm"
              loading={whole.isFetching}
              onClick={() => setWhole(true)}
            >
              {t.moreImages(more)}
            </Button>
          ) : (
            <Dimmed>{t.furtherImages(more)}</Dimmed>
          )}
        </div>
      )}
    </>
  );
}

type Image = GateChanges['items'][number];

const imageKey = ({ repository, digest }: Image): string => `${repository}@${digest}`;

const useColumns = defineColumns('dashboard', (t): Column<Image>[] => [
  {
    id: 'image',
    title: t.image,
    cell: ({ repository, tags: [tag] }) => (
      <RowName to={`/images/__local__/${repository}`}>
        {tag === undefined ? repository : `${repository}:${tag}`}
      </RowName>
    ),
  },
  {
    id: 'now',
    title: t.now,
    cell: ({ passes, blocking, blocking_total: total }) => (
      <>
        {passes === false ? <VerdictBadge verdict="blocked" /> : t.passes}
        {total > 0 && (
          <Dimmed>
            {t.andMore(
              blocking.slice(0, MOST_NAMED).join(', '),
              total - Math.min(blocking.length, MOST_NAMED),
            )}
          </Dimmed>
        )}
      </>
    ),
  },
  {
    id: 'changed',
    title: t.changed,
    className: table.quiet,
    cell: ({ changed_at }) => <RelativeTime at={changed_at} />,
  },
]);
