import { randomUUID } from 'node:crypto';
import type { AuditEventName } from '@portcullis/domain';
import type { AuditEvent } from './audit-event.ts';

interface SystemAction extends Pick<AuditEvent, 'outcome' | 'action' | 'resource' | 'detail'> {
  event: AuditEventName;
}

/** An audit event without a request, for work of an account's job or of a process. */
export function systemEvent({
  at = new Date(),
  actor,
  ...fields
}: SystemAction & { at?: Date; actor: { id: string | null; name: string } }): AuditEvent {
  return {
    id: randomUUID(),
    at: at.toISOString(),
    ...fields,
    actor: { ...actor, auth: 'system' },
    ...NO_REQUEST,
  };
}

const NO_REQUEST = {
  client_ip: null,
  user_agent: null,
  method: null,
  path: null,
  status: null,
  duration_ms: null,
  request_id: null,
};
