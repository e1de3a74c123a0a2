import type { Operation } from '@portcullis/contract';
import type { Principal } from '@portcullis/domain';
import type { AuditEvent } from '@portcullis/events';
import type { Logger } from '@portcullis/runtime';
import type { CookieOptions, Request, Response } from 'express';

export type Actor = AuditEvent['actor'];
export type AuditedResource = NonNullable<AuditEvent['resource']>;

/** Who asks; an operation for everybody knows nobody. */
export type PrincipalOf<O extends Operation> = O['access'] extends 'public' ? null : Principal;

/**
 * One request as a handler sees it. What is said here goes into the reply's head or the audit
 * event.
 */
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
  /** What the audit event is about. */
  about(resource: AuditedResource): void;
  /** Facts for the audit event; never a secret. */
  note(detail: Record<string, unknown>): void;
  /** Who acts, where no principal says so: a login. */
  actor(actor: Actor): void;
  /**
   * Commits what is known of the audit event now, before an effect that is not in the database: a
   * process that dies in the middle leaves the event behind.
   */
  intend(): Promise<void>;
  header(name: string, value: string): void;
  cookie(name: string, value: string, options: CookieOptions): void;
  /** Another status than the operation's own, with the same body: not ready, not delivered. */
  status(status: number): void;
}

/** What the request's audit event will say; filled while the request is handled. */
export interface AuditNotes {
  /** Of the event; a new one where none is given. */
  id?: string;
  actor: Actor | null;
  resource: AuditedResource | null;
  detail: Record<string, unknown>;
}
