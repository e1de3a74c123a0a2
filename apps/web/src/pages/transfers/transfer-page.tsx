/** Shows a transfer, and follows it live. */
import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import type { SelectionView, TransferDetail } from '@portcullis/contract';
import { Link, useParams, useSearchParams } from 'react-router';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { FaultView } from '../../kit/fault/fault.tsx';
import { useJobFaultText } from '../../kit/fault/job-fault.tsx';
import { Breadcrumbs, PageHead } from '../../kit/layout/page-head.tsx';
import { ListSkeleton } from '../../kit/layout/query-view.tsx';
import { type Column, defineColumns } from '../../kit/table/columns.tsx';
import { MoreButton } from '../../kit/table/more-button.tsx';
import { SortedTable } from '../../kit/table/sorted-table.tsx';
import table from '../../kit/table/table.module.css';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { bytesSent, groupCounts } from './job-groups.ts';
import { patternText } from './pattern-text.ts';
import { StatusBreakdown } from './status-breakdown.tsx';
import { TransferActions } from './transfer-actions.tsx';
import { JOB_ORDER, TransferJobs } from './transfer-jobs.tsx';
import { useRegistryName } from './transfer-registries.ts';
import { TransferStatusBadge } from './transfer-status.tsx';
import classes from './transfers.module.css';
import { useTransfer } from './use-transfer.ts';
import { useTransferTitle } from './use-transfer-title.ts';

export function Component() {
  const t = useMessages('transfers');
  const { transferId = '' } = useParams();
  const [search] = useSearchParams();
  const { transfer, jobs, fault, more } = useTransfer(transferId, search.has(JOB_ORDER));
  if (fault) return <FaultView error={fault.error} retry={fault.retry} page />;
  if (!transfer) return <ListSkeleton rows={6} />;
  return (
    <>
      <Head transfer={transfer} />
      <Stack gap="md">
        <Summary transfer={transfer} />
        <TagSelections selections={transfer.selections} />
        <TransferJobs jobs={jobs} />
        <MoreButton pages={more}>{t.more}</MoreButton>
      </Stack>
    </>
  );
}

function Head({ transfer }: { transfer: TransferDetail }) {
  const t = useMessages('transfers');
  const nameOf = useRegistryName();
  const { total } = groupCounts(transfer);
  const title = useTransferTitle()(transfer);
  return (
    <>
      <Breadcrumbs label={t.title} parents={[{ name: t.back, to: '/transfers' }]} />
      <PageHead
        title={title}
        description={
          <>
            {t.fromTo(nameOf(transfer.source), nameOf(transfer.destination))} · {t.images(total)} ·{' '}
            {transfer.owner} · <RelativeTime at={transfer.created_at} />
            {transfer.schedule_id !== null && (
              <>
                {' · '}
                <Anchor component={Link} to={`/transfers/schedules/${transfer.schedule_id}`}>
                  {t.scheduled}
                </Anchor>
              </>
            )}
          </>
        }
      >
        <TransferActions transfer={transfer} />
      </PageHead>
    </>
  );
}

function Summary({ transfer }: { transfer: TransferDetail }) {
  const [t, format] = useWords('transfers');
  const groups = groupCounts(transfer);
  const { reused, mounted } = transfer.bytes;
  const sent = bytesSent(transfer.bytes);
  if (groups.total === 0 && transfer.status !== 'running')
    return (
      <Alert variant="light" color="gray">
        {t.nothingMatched}
      </Alert>
    );
  return (
    <section className={classes.summary} aria-label={t.progress}>
      <Group gap="6px 12px">
        <TransferStatusBadge transfer={transfer} />
        <Text fw={580}>{t.pushedOf(format.number(groups.done), format.number(groups.total))}</Text>
        {sent + reused + mounted > 0 && (
          <Text size="sm" c="dimmed" className={classes.moved ?? ''}>
            {t.moved(format.bytes(sent))} · {t.shared(format.bytes(reused + mounted))}
          </Text>
        )}
      </Group>
      {groups.total > 0 && <StatusBreakdown transfer={transfer} />}
    </section>
  );
}

const ROW_HEIGHT = 39;

/** The most urgent first. */
const STATES: readonly SelectionView['state'][] = ['failed', 'queued', 'cancelled', 'done'];
/** The tag patterns of a transfer and their results. */
function TagSelections({ selections }: { selections: readonly SelectionView[] }) {
  const columns = useColumns();
  if (selections.length === 0) return null;
  return (
    <SortedTable
      rows={selections}
      parameter="pattern_sort"
      columns={columns}
      keyOf={selectionKey}
      className={table.steady}
      rowHeight={ROW_HEIGHT}
    />
  );
}

const selectionKey = ({ index }: SelectionView): string => String(index);

const useColumns = defineColumns('transfers', (t): Column<SelectionView>[] => [
  {
    title: t.selections,
    sort: 'pattern',
    by: ({ repository, match }) => `${repository}:${patternText(match)}`,
    className: table.wrap,
    cell: ({ repository, match }) => (
      <>
        {repository}
        <span className={table.prefix}>:{patternText(match)}</span>
      </>
    ),
  },
  {
    title: t.state,
    sort: 'state',
    by: ({ state }) => STATES.indexOf(state),
    className: table.quiet,
    cell: (selection) => <Outcome selection={selection} />,
  },
]);

function Outcome({ selection }: { selection: SelectionView }) {
  const [t, format] = useWords('transfers');
  const faultText = useJobFaultText();
  const { state, error, tags_seen, jobs_made, skipped } = selection;
  if (error !== null) return <span className={classes.fault}>{faultText(error)}</span>;
  return (
    <>
      {state === 'queued' ? t.looking : t.pattern(tags_seen, jobs_made)}
      {skipped.map(({ tag, until }) => (
        <div key={tag} className={table.reason}>
          {t.tooYoung(tag, format.dateTime(until))}
        </div>
      ))}
    </>
  );
}
