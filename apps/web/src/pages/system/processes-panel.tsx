/** Shows the processes that run. */
import type { ProcessState } from '@portcullis/contract';
import { Fragment } from 'react';
import { useAnswer } from '../../api/api.ts';
import { useFormat, useMessages } from '../../i18n/messages.ts';
import { useKnownFaultText } from '../../kit/fault/job-fault.tsx';
import { Panel } from '../../kit/layout/panel.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { type Column, defineColumns, quiet } from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import table from '../../kit/table/table.module.css';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { Badge, type Tone } from '../../kit/verdict/badge.tsx';
import { describeProcess } from './process-details.ts';
import classes from './system.module.css';

const TONES: Record<ProcessState['status'], Tone> = {
  up: 'good',
  late: 'high',
  down: 'critical',
  off: 'unknown',
};
export const REFRESH_MS = 5000;
/** Of a small installation; below 768 px the values of a row are below one another. */
const EXPECTED = 6;
const ROW_HEIGHT = 'clamp(58px, 140px - 10vw, 100px)';

export function ProcessesPanel() {
  const t = useMessages('system');
  const columns = useColumns();
  const processes = useAnswer('processes.listProcesses', undefined, {
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel title={t.processes} description={t.processesLead} flush>
      <QueryView query={processes} rows={EXPECTED} rowHeight={ROW_HEIGHT}>
        {(all) => (
          <DataTable rows={all} columns={columns} keyOf={processKey} className={table.inner} />
        )}
      </QueryView>
    </Panel>
  );
}

const processKey = ({ name, instance }: ProcessState): string => `${name}/${instance}`;

const useColumns = defineColumns('system', (t): Column<ProcessState>[] => [
  {
    id: 'name',
    title: t.name,
    cell: ({ name, instance, version }) => (
      <>
        <strong>{t.parts[name] ?? name}</strong>
        <span className={table.under}>
          {[instance === name ? null : (t.parts[instance] ?? instance), version]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </>
    ),
  },
  {
    id: 'status',
    title: t.status,
    className: classes.status,
    cell: ({ status }) => <Badge tone={TONES[status]}>{t.statuses[status]}</Badge>,
  },
  quiet({
    id: 'since',
    title: t.since,
    cell: ({ started_at }) => started_at && <RelativeTime at={started_at} />,
  }),
  {
    id: 'detail',
    title: t.saysOfItself,
    className: classes.detail,
    cell: ({ detail }) => <Details detail={detail} />,
  },
]);

function Details({ detail }: Pick<ProcessState, 'detail'>) {
  const t = useMessages('system');
  const { faults } = useMessages('delivery');
  const known = useKnownFaultText();
  const deliveries: Partial<Record<string, string>> = faults;
  const faultText = (code: string) =>
    t.checks[code] ?? t.databaseFaults[code] ?? deliveries[code] ?? known(code);
  const shown = describeProcess(detail, { t, faultText }, useFormat());
  return shown.map(({ text, isServers }, index) => (
    <Fragment key={text}>
      {index > 0 && ' · '}
      {isServers ? <span lang="en">{text}</span> : text}
    </Fragment>
  ));
}
