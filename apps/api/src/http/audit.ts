/**
 * Requests → audit events: committed with the change, or on the stream, before the reply is sent;
 * never a secret or a body. See docs/decisions/0013-audit-outbox.md.
 */
import { randomUUID } from 'node:crypto';
import type { AuditEventName, Principal } from '@portcullis/domain';
import type { AuditEvent, AuditLog } from '@portcullis/events';
import type { Store } from '@portcullis/store';
import type { Request, Response } from 'express';
import type { Actor, AuditNotes } from './call.ts';
import { localsOf } from './client/request-id.ts';

export type PublishAudit = (event: AuditEvent) => Promise<void>;

/** What the routes need of the audit log. */
export type AuditPorts = Pick<AuditLog, 'tell' | 'end'> & Pick<Store['outbox'], 'scope'>;

export interface Audited {
  event: AuditEventName;
  action: string;
  /** Null while the request is running. */
  status: number | null;
  notes: AuditNotes;
  principal: Principal | null;
}

export function actorOf(principal: Principal | null): Actor {
  if (!principal) return { id: null, name: 'anonymous', auth: 'none' };
  const { id, username, auth, tokenId, robotOf } = principal;
  return {
    id,
    name: username,
    auth,
    ...(tokenId !== undefined && { token_id: tokenId }),
    ...(robotOf !== undefined && { robot_of: robotOf ?? 'administrators' }),
  };
}

export function auditEvent(request: Request, response: Response, audited: Audited): AuditEvent {
  const { requestId, startedAt } = localsOf(response);
  const { event, action, status, notes, principal } = audited;
  return {
    id: notes.id ?? randomUUID(),
    at: new Date().toISOString(),
    event,
    outcome: outcomeOf(status),
    actor: notes.actor ?? actorOf(principal),
    action,
    resource: notes.resource,
    client_ip: request.ip ?? null,
    user_agent: request.get('user-agent')?.slice(0, 500) ?? null,
    method: request.method,
    path: request.originalUrl.split('?', 1)[0] ?? null,
    status,
    duration_ms: Math.round(performance.now() - startedAt),
    request_id: requestId,
    detail: notes.detail,
  };
}

/** The event of a request whose process dies: the change is committed, the result unknown. */
export function interrupted(event: AuditEvent): AuditEvent {
  return { ...event, detail: { ...event.detail, interrupted: true } };
}

function outcomeOf(status: number | null): AuditEvent['outcome'] {
  if (status === null || status < 400) return 'success';
  return status === 401 || status === 403 || status === 429 ? 'denied' : 'failure';
}
