/** Pulls of what is not in a mirror, to which its upstream named no image; nothing without any. */
import type { MirrorView } from '@portcullis/contract';
import { useCallback } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { JobFault } from '../../../kit/fault/job-fault.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { type Column, defineColumns } from '../../../kit/table/columns.tsx';
import { SortedTable } from '../../../kit/table/sorted-table.tsx';
import table from '../../../kit/table/table.module.css';
import { LongName } from '../../../kit/text/long-name.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';

type Attempt = MirrorView['attempts'][number];

export function MirrorAttempts({ mirror: { folder, attempts } }: { mirror: MirrorView }) {
  const t = useMessages('mirror');
  // Within its folder.
  const nameOf = useCallback(
    (attempt: Attempt) => keyOf(attempt).slice(folder.length + 1),
    [folder],
  );
  const columns = useColumns(nameOf);
  if (attempts.length === 0) return null;
  return (
    <Panel flush title={t.attempts} description={t.attemptsHint}>
      <SortedTable
        rows={attempts}
        first="-at"
        className={table.inner}
        parameter="attempts_sort"
        columns={columns}
        keyOf={(attempt) => `${keyOf(attempt)} ${attempt.account}`}
      />
    </Panel>
  );
}

const useColumns = defineColumns(
  'mirror',
  (t, _format, nameOf: (attempt: Attempt) => string): Column<Attempt>[] => [
    {
      title: t.image,
      sort: 'name',
      by: nameOf,
      cell: (attempt) => <LongName>{nameOf(attempt)}</LongName>,
    },
    {
      id: 'error',
      title: t.answer,
      cell: ({ error: { message }, gone }) => (
        <JobFault fault={{ code: gone ? 'MIRROR_GONE' : 'MIRROR_UPSTREAM', message }} />
      ),
    },
    {
      title: t.pulledBy,
      sort: 'account',
      by: ({ account }) => account,
      cell: ({ account }) => account,
    },
    {
      title: t.attemptedAt,
      sort: 'at',
      by: ({ at }) => at,
      cell: ({ at }) => <RelativeTime at={at} />,
    },
  ],
);

function keyOf({ repository, reference }: Attempt): string {
  return `${repository}${reference.includes(':') ? '@' : ':'}${reference}`;
}
