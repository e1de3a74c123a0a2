import { randomUUID } from 'node:crypto';
import type { AuditEvent } from './audit-event.ts';

type Told = Pick<AuditEvent, 'event' | 'outcome' | 'action' | 'resource' | 'detail'>;

/** What nobody asked for in a request: it runs for an account, or for a process, all the same. */
export function systemEvent({
  at = new Date(),
  actor,
  ...told
}: Told & { at?: Date; actor: { id: string | null; name: string } }): AuditEvent {
  return {
    id: randomUUID(),
    at: at.toISOString(),
    ...told,
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
