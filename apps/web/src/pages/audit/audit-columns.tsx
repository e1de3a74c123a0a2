/** Defines the columns of the audit log. */
import type { AuditEvent } from '@portcullis/contract';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { type Column, defineColumns, RowName } from '../../kit/table/columns.tsx';
import table from '../../kit/table/table.module.css';
import { Badge, type Tone } from '../../kit/verdict/badge.tsx';
import { useRegistryName } from '../transfers/transfer-registries.ts';
import classes from './audit.module.css';
import { type BypassFacts, bypassFacts } from './bypass-facts.ts';
import { useEventWords } from './event-words.ts';

export const OUTCOME_TONES: Record<AuditEvent['outcome'], Tone> = {
  success: 'unknown',
  denied: 'high',
  failure: 'critical',
};

const STANDING_OUT: Partial<Record<AuditEvent['outcome'], string>> = {
  denied: 'high',
  failure: 'critical',
};

export const eventTone = ({ outcome }: AuditEvent) => STANDING_OUT[outcome];

export const useEventColumns = defineColumns(
  'audit',
  (t, format, onOpen: (event: AuditEvent) => void): Column<AuditEvent>[] => [
    {
      id: 'time',
      title: t.time,
      className: table.quiet,
      width: '200px',
      cell: ({ at }) => (
        <time dateTime={at}>
          {format.date(at)}, {format.time(at)}
        </time>
      ),
    },
    { id: 'event', title: t.what, cell: (event) => <EventName event={event} onOpen={onOpen} /> },
    { id: 'actor', title: t.who, width: '16%', cell: ({ actor }) => actor.name },
    {
      id: 'outcome',
      title: t.outcome,
      width: '130px',
      cell: ({ outcome }) => <Outcome outcome={outcome} />,
    },
    {
      id: 'address',
      title: t.whence,
      className: table.quiet,
      width: '150px',
      cell: ({ client_ip }) => client_ip,
    },
  ],
);

function EventName({ event, onOpen }: { event: AuditEvent; onOpen(event: AuditEvent): void }) {
  const t = useMessages('audit');
  const name = useEventWords()(event.event);
  const bypass = bypassFacts(event);
  return (
    <>
      <RowName onOpen={() => onOpen(event)}>{name}</RowName>
      {name !== event.event && ' '}
      {name !== event.event && <code className={classes.code}>{event.event}</code>}
      {bypass && (
        <>
          {' '}
          <Badge tone="high">{t.bypassed}</Badge>
        </>
      )}
      {bypass ? <BypassedImage {...bypass} /> : <EventResource {...event} />}
    </>
  );
}

/** Which image the policy blocks, where it went, and the reason that was given. */
function BypassedImage({ image, destination, reason }: BypassFacts) {
  const [t, format] = useWords('audit');
  return (
    <span className={table.under}>
      {destination === null ? image : t.fromTo(image ?? '', destination)}
      {reason !== null && (
        <>
          {format.colon}
          <q>{reason}</q>
        </>
      )}
    </span>
  );
}

/** Only what was not done stands out. */
function Outcome({ outcome }: Pick<AuditEvent, 'outcome'>) {
  const { outcomes } = useMessages('audit');
  if (outcome === 'success') return <span className={table.quiet}>{outcomes.success}</span>;
  return <Badge tone={OUTCOME_TONES[outcome]}>{outcomes[outcome]}</Badge>;
}

type Subject = Pick<AuditEvent, 'resource' | 'detail'>;

/** What an event was about: by its name, a transfer by its source and destination. */
function EventResource({ resource, detail }: Subject) {
  const { source, destination, folder } = detail;
  if (!resource?.name) return null;
  if (typeof source !== 'string' || typeof destination !== 'string' || resource.kind !== 'transfer')
    return <span className={table.under}>{resource.name}</span>;
  return <TransferEnds ends={[source, destination]} folder={folder} />;
}

const HUB = 'dockerhub';

function TransferEnds({ ends, folder }: { ends: [string, string]; folder: unknown }) {
  const t = useMessages('transfers');
  const nameOf = useRegistryName();
  const [from, to] = ends.map((id) => nameOf({ registry_id: id === HUB ? null : id, host: id }));
  return (
    <span className={table.under}>
      {t.fromTo(from ?? '', to ?? '')}
      {typeof folder === 'string' && `, ${folder}`}
    </span>
  );
}
