import type { AuditEvent } from '@portcullis/contract';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { Badge, type Tone } from '../../kit/verdict/badge.tsx';
import classes from './audit.module.css';

export const OUTCOME_TONES: Record<AuditEvent['outcome'], Tone> = {
  success: 'unknown',
  denied: 'high',
  failure: 'critical',
};

interface AuditTableProps {
  events: AuditEvent[];
  onOpen(event: AuditEvent): void;
  live?: boolean;
}

export function AuditTable({ events, onOpen, live = false }: AuditTableProps) {
  const t = useMessages('audit');
  return (
    <table className={`${table.table} ${classes.log}`} data-live={live || undefined}>
      <thead>
        <tr>
          <th scope="col">{t.time}</th>
          <th scope="col">{t.what}</th>
          <th scope="col">{t.who}</th>
          <th scope="col">{t.outcome}</th>
          <th scope="col">{t.whence}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <AuditRow key={event.id} event={event} onOpen={() => onOpen(event)} />
        ))}
      </tbody>
    </table>
  );
}

function AuditRow({ event, onOpen }: { event: AuditEvent; onOpen(): void }) {
  const t = useMessages('audit');
  const format = useFormat();
  return (
    <tr>
      <td className={table.quiet}>
        <time dateTime={event.at}>
          {format.date(event.at)}, {format.time(event.at)}
        </time>
      </td>
      <td>
        <button type="button" className={table.name} onClick={onOpen}>
          <code>{event.event}</code>
        </button>
        {event.resource?.name && <span className={classes.resource}>{event.resource.name}</span>}
      </td>
      <td>{event.actor.name}</td>
      <td>
        <Badge tone={OUTCOME_TONES[event.outcome]}>{t.outcomes[event.outcome]}</Badge>
      </td>
      <td className={table.quiet}>{event.client_ip}</td>
    </tr>
  );
}
