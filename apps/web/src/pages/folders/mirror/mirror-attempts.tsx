/** Pulls of what is not in a mirror, to which its upstream named no image; nothing without any. */
import type { MirrorView } from '@portcullis/contract';
import { useWords } from '../../../i18n/messages.ts';
import { JobFault } from '../../../kit/fault/job-fault.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { type Column, defineColumns } from '../../../kit/table/columns.tsx';
import { SortedTable } from '../../../kit/table/sorted-table.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { LongName } from '../../../kit/text/long-name.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';

type Attempt = MirrorView['attempts'][number];

export function MirrorAttempts({ attempts }: { attempts: Attempt[] }) {
  const [t] = useWords('mirror');
  const columns = useColumns();
  if (attempts.length === 0) return null;
  return (
    <Panel flush title={t.attempts}>
      <Dimmed px="md">{t.attemptsHint}</Dimmed>
      <SortedTable
        rows={attempts}
        first="-at"
        parameter="attempts_sort"
        columns={columns}
        keyOf={(attempt) => `${nameOf(attempt)} ${attempt.account}`}
      />
    </Panel>
  );
}

const useColumns = defineColumns('mirror', (t): Column<Attempt>[] => [
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
]);

function nameOf({ repository, reference }: Attempt): string {
  return `${repository}${reference.includes(':') ? '@' : ':'}${reference}`;
}
