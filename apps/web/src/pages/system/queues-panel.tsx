/** Shows how much work waits. */
import { Text } from '@mantine/core';
import type { QueueState } from '@portcullis/contract';
import { useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import table from '../../kit/table/table.module.css';
import { REFRESH_MS } from './processes-panel.tsx';

export function QueuesPanel() {
  const t = useMessages('system');
  const queues = useAnswer('processes.listQueues', undefined, { refetchInterval: REFRESH_MS });
  return (
    <Panel title={t.queues} description={t.queuesLead} flush>
      <QueryView query={queues} rows={3}>
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed" px="md" pb="md">
              {t.noQueues}
            </Text>
          ) : (
            <table className={`${table.table} ${table.inner}`}>
              <thead>
                <tr>
                  <th scope="col">{t.queue}</th>
                  {[t.waiting, t.delayed, t.running, t.failed, t.oldest].map((name) => (
                    <th key={name} scope="col" className={table.number}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {all.map((each) => (
                  <QueueRow key={each.queue} {...each} />
                ))}
              </tbody>
            </table>
          )
        }
      </QueryView>
    </Panel>
  );
}

function QueueRow({ queue, depth, delayed, running, failed, oldest_age_s }: QueueState) {
  const [t, format] = useWords('system');
  const figures = [
    [t.waiting, format.number(depth - delayed)],
    [t.delayed, format.number(delayed)],
    [t.running, format.number(running)],
    [t.failed, format.number(failed)],
    [t.oldest, oldest_age_s === null ? '–' : format.duration(oldest_age_s)],
  ] as const;
  return (
    <tr>
      <td>
        <strong>{t.queueNames[queue] ?? queue}</strong>
      </td>
      {figures.map(([name, figure]) => (
        <td key={name} className={table.number} data-label={name}>
          {figure}
        </td>
      ))}
    </tr>
  );
}
