/** Requests → audit events (decisions.md § Audit): on the stream before the reply is sent; never a secret or a body. */
import { randomUUID } from 'node:crypto';
import type { Principal } from '@portcullis/domain';
import type { AuditEvent } from '@portcullis/events';
import type { Request, Response } from 'express';
import type { Actor, AuditNotes } from './call.ts';
import { localsOf } from './request-id.ts';

export type PublishAudit = (event: AuditEvent) => Promise<void>;

export interface Audited {
  event: string;
  action: string;
  status: number;
  notes: AuditNotes;
  principal: Principal | null;
}

export function actorOf(principal: Principal | null): Actor {
  if (!principal) return { id: null, name: 'anonymous', auth: 'none' };
  const { id, username, auth, tokenId } = principal;
  return { id, name: username, auth, ...(tokenId !== undefined && { token_id: tokenId }) };
}

export function auditEvent(request: Request, response: Response, audited: Audited): AuditEvent {
  const { requestId, startedAt } = localsOf(response);
  const { event, action, status, notes, principal } = audited;
  return {
    id: randomUUID(),
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

function outcomeOf(status: number): AuditEvent['outcome'] {
  if (status < 400) return 'success';
  return status === 401 || status === 403 || status === 429 ? 'denied' : 'failure';
}

/**
 * What was done can't be undone because the stream is away, so the reply goes out as it is; the event itself is kept
 * in the log, where an operator finds it.
 */
export async function publishOrLog(
  publish: PublishAudit,
  event: AuditEvent,
  response: Response,
): Promise<void> {
  try {
    await publish(event);
  } catch (error) {
    localsOf(response).log.error({ err: error, audit: event }, 'an audit event could not be published');
  }
}
