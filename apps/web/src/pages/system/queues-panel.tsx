/** Shows how much work waits. */
import type { QueueState } from '@portcullis/contract';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { type Column, defineColumns } from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import table from '../../kit/table/table.module.css';
import { REFRESH_MS } from './processes-panel.tsx';

export function QueuesPanel() {
  const t = useMessages('system');
  const columns = useColumns();
  const queues = useAnswer('processes.listQueues', undefined, { refetchInterval: REFRESH_MS });
  return (
    <Panel
      title={t.queues}
      description={t.queuesLead}
      flush
      empty={queues.data?.length === 0 && t.noQueues}
    >
      <QueryView query={queues} rows={3}>
        {(all) => (
          <DataTable
            rows={all}
            columns={columns}
            keyOf={({ queue }) => queue}
            className={table.inner}
          />
        )}
      </QueryView>
    </Panel>
  );
}

const useColumns = defineColumns('system', (t, format): Column<QueueState>[] => {
  const figure = (title: string, cell: (queue: QueueState) => string): Column<QueueState> => ({
    ...{ id: title, title, label: title, className: table.number },
    cell,
  });
  return [
    {
      id: 'queue',
      title: t.queue,
      cell: ({ queue }) => <strong>{t.queueNames[queue] ?? queue}</strong>,
    },
    figure(t.waiting, ({ depth, delayed }) => format.number(depth - delayed)),
    figure(t.delayed, ({ delayed }) => format.number(delayed)),
    figure(t.running, ({ running }) => format.number(running)),
    figure(t.failed, ({ failed }) => format.number(failed)),
    figure(t.oldest, ({ oldest_age_s: age }) => (age === null ? '–' : format.duration(age))),
  ];
});
