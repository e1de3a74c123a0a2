/** Renders audit events as an e-mail: one line each, and all of them as a `.jsonl` attachment. */
import { createHash } from 'node:crypto';
import type { AuditEvent } from '@portcullis/events';
import { oneLine } from './one-line.ts';

export interface Mail {
  subject: string;
  text: string;
  /** Deterministic, so that recipients can recognise a duplicate. */
  messageId: string;
  attachment: { filename: string; content: string } | null;
}

const MOST_LINES = 200;

/** A notification of recent events. */
export function notificationMail(events: readonly AuditEvent[]): Mail {
  const [first] = events;
  const subject =
    first && events.length === 1 ? headline(first) : `${events.length} events: ${namesOf(events)}`;
  return mailOf(subject, events);
}

/** The latest events, on request. */
export function exportMail(events: readonly AuditEvent[]): Mail {
  return mailOf(`the last ${events.length} audit events`, events);
}

export function testMail(at: Date, id: string): Mail {
  return {
    subject: '[Portcullis] test',
    text: `This is a test message, sent at ${at.toISOString()}. E-mail from Portcullis arrives here.\n`,
    messageId: `<${id}@portcullis>`,
    attachment: null,
  };
}

function mailOf(subject: string, events: readonly AuditEvent[]): Mail {
  const hash = createHash('sha256');
  for (const { id } of events) hash.update(id);
  return {
    subject: `[Portcullis] ${oneLine(subject, 120)}`,
    text: textOf(events),
    messageId: `<${hash.digest('hex').slice(0, 32)}@portcullis>`,
    attachment: { filename: fileName(events), content: jsonLines(events) },
  };
}

function jsonLines(events: readonly AuditEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

function headline({ event, outcome, actor, resource }: AuditEvent): string {
  const about = resource?.name ? ` ${resource.name}` : '';
  const end = outcome === 'success' ? '' : ` (${outcome})`;
  return `${event}${about} by ${actor.name}${end}`;
}

function namesOf(events: readonly AuditEvent[]): string {
  return [...new Set(events.map(({ event }) => event))].join(', ');
}

function textOf(events: readonly AuditEvent[]): string {
  const shown = events.slice(0, MOST_LINES).map(lineOf);
  const more = events.length - shown.length;
  const rest = more > 0 ? [`… and ${more} more`] : [];
  return `${[...shown, ...rest, '', 'The attached file holds the events as a whole.'].join('\n')}\n`;
}

function lineOf({ at, event, outcome, actor, resource, client_ip }: AuditEvent): string {
  const about = resource ? `${resource.kind} ${resource.name ?? resource.id ?? ''}` : '';
  const from = client_ip === null ? '' : `from ${client_ip}`;
  return oneLine(
    [at, event, outcome, actor.name, from, about].filter((part) => part !== '').join('  '),
    500,
  );
}

/** File names must not have colons. */
function fileName(events: readonly AuditEvent[]): string {
  const stamp = (events.at(-1)?.at ?? '').replaceAll(/[^\dTZ]/g, '').slice(0, 15);
  return `portcullis-audit-${stamp || 'none'}.jsonl`;
}
