/** Shows which images and vulnerabilities changed lately. */
import { Anchor, Text } from '@mantine/core';
import type { GateChanges } from '@portcullis/contract';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { type Column, defineColumns, RowName } from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import table from '../../kit/table/table.module.css';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { VerdictBadge } from '../../kit/verdict/verdict-badge.tsx';

const REFRESH_MS = 60_000;
const MOST_IMAGES = 8;
const MOST_VULNERABILITIES = 10;
const REQUEST = { query: { limit: MOST_IMAGES } };

const MOST_NAMED = 3;

/** One request for all panels that need it. */
export const useChanges = () =>
  useAnswer('gate.gateChanges', REQUEST, { refetchInterval: REFRESH_MS });

/** Images that were blocked or pass again, and vulnerabilities that are new, since a day ago. */
export function ChangesPanel() {
  const { data } = useChanges();
  // The page is complete without it, as where nothing changed.
  return data && data.items.length + data.vulnerabilities.length > 0 ? (
    <Changes changes={data} />
  ) : null;
}

function Changes({
  changes: { blocked, cleared, items, vulnerabilities },
}: {
  changes: GateChanges;
}) {
  const t = useMessages('dashboard');
  const columns = useColumns();
  const shown = vulnerabilities.slice(0, MOST_VULNERABILITIES);
  return (
    <Panel
      title={t.changes}
      flush={items.length > 0}
      description={
        <>
          <Text>{t.changesSentence(blocked, cleared, vulnerabilities.length)}</Text>
          {shown.length > 0 && (
            <Text size="sm">
              {shown.map(({ vulnerability, images }, index) => (
                <Fragment key={vulnerability}>
                  {index > 0 && ', '}
                  <Anchor
                    component={Link}
                    to={`/vulnerabilities/${encodeURIComponent(vulnerability)}`}
                    inherit
                  >
                    {t.inImages(vulnerability, images)}
                  </Anchor>
                </Fragment>
              ))}
              {t.andMore('', vulnerabilities.length - shown.length)}
            </Text>
          )}
        </>
      }
    >
      {items.length > 0 && (
        <DataTable rows={items} columns={columns} keyOf={imageKey} className={table.inner} />
      )}
    </Panel>
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
