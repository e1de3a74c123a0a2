import { randomUUID } from 'node:crypto';
import type { AuditEvent, AuditEventName } from '@portcullis/domain';
import { requestIdNow } from '@portcullis/runtime';

interface SystemAction extends Pick<AuditEvent, 'outcome' | 'action' | 'resource' | 'detail'> {
  event: AuditEventName;
}

/**
 * An audit event of work that no client waits for: of an account's job, or of a process. It has the
 * id of the request that the work is done for.
 */
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
    ...NO_CALL,
    request_id: requestIdNow(),
  };
}

const NO_CALL = {
  client_ip: null,
  user_agent: null,
  method: null,
  path: null,
  status: null,
  duration_ms: null,
};
