/** Describes a request as handlers of operations get it. */
import type { Operation } from '@portcullis/contract';
import type { AuditEventName, Principal } from '@portcullis/domain';
import type { AuditEvent } from '@portcullis/events';
import type { Logger } from '@portcullis/runtime';
import type { CookieOptions, Request, Response } from 'express';

export type Actor = AuditEvent['actor'];
type AuditedResource = NonNullable<AuditEvent['resource']>;

/** The account behind the request; public operations have none. */
export type PrincipalOf<O extends Operation> = O['access'] extends 'public' ? null : Principal;

/** One request as a handler sees it, with setters for the reply's headers and the audit event. */
export interface ApiCall<P extends Principal | null = Principal | null> {
  principal: P;
  requestId: string;
  clientIp: string;
  log: Logger;
  /**
   * Of the `Idempotency-Key` header, with the hash of the body it came with; a replay is noted in
   * the audit event.
   */
  idempotency: { key: string; bodyHash: string; replayed(): void } | null;
  request: Request;
  response: Response;
  /** Aborted when the client leaves before it is answered. */
  signal: AbortSignal;
  /** What the audit event is about. */
  about(resource: AuditedResource): void;
  /** Facts for the audit event; never a secret. */
  note(detail: Record<string, unknown>): void;
  /** The audit event of a part of this request, which the caller stores with the part's change. */
  part(event: AuditEventName, about: AuditedResource): AuditEvent;
  /** The actor of a login, which has no principal yet. */
  actor(actor: Actor): void;
  /**
   * Commits what is known of the audit event now, before an effect that is not in the database: a
   * process that dies in the middle leaves the event behind.
   */
  intend(): Promise<void>;
  header(name: string, value: string): void;
  cookie(name: string, value: string, options: CookieOptions): void;
  /** A status other than the operation's, with the same body. */
  status(status: number): void;
}

/** The audit event of the request, filled in while it is handled. */
export interface AuditNotes {
  /** The id of the event. */
  id?: string;
  actor: Actor | null;
  resource: AuditedResource | null;
  detail: Record<string, unknown>;
}
