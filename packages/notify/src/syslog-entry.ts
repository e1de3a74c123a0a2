/** A syslog entry before it is formatted. */
import type { AuditEvent } from '@portcullis/events';

export interface SyslogEntry {
  at: Date;
  facility: 'audit' | 'daemon';
  severity: 'err' | 'warning' | 'info' | 'debug';
  /** MSGID: the kind of entry. */
  kind: string;
  processId: string;
  /** STRUCTURED-DATA; absent values are omitted. */
  data: Record<string, string | null | undefined>;
  /** The complete document. */
  document: Record<string, unknown>;
}

const SEVERITY = { success: 'info', denied: 'warning', failure: 'err' } as const;

export function auditEntry(event: AuditEvent, processId: string): SyslogEntry {
  const { id, outcome, actor, action, resource, client_ip, status, request_id } = event;
  return {
    at: new Date(event.at),
    facility: 'audit',
    severity: SEVERITY[outcome],
    kind: event.event,
    processId,
    data: {
      id,
      event: event.event,
      outcome,
      actor: actor.name,
      auth: actor.auth,
      action,
      resource_kind: resource?.kind,
      resource: resource?.name ?? resource?.id,
      folder: resource?.folder,
      client_ip,
      status: status?.toString(),
      request_id,
    },
    document: { ...event },
  };
}

/** A log line of a process, as pino wrote it. */
export type LogLine = Record<string, unknown>;

export function logEntry(line: LogLine): SyslogEntry {
  const at = new Date(text(line.time) ?? Number.NaN);
  return {
    at: Number.isNaN(at.getTime()) ? new Date() : at,
    facility: 'daemon',
    severity: severityOf(line.level),
    kind: 'log',
    processId: text(line.pid) ?? '-',
    data: {
      process: text(line.name),
      level: text(line.level),
      host: text(line.hostname),
      request_id: text(line.requestId),
    },
    document: line,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function severityOf(level: unknown): SyslogEntry['severity'] {
  if (level === 'error' || level === 'fatal') return 'err';
  if (level === 'warn') return 'warning';
  return level === 'debug' || level === 'trace' ? 'debug' : 'info';
}
