/**
 * The descriptor of one REST operation. Validation, access control, audit and documentation follow
 * it, and the server's handler and the web page's client get their types from it.
 */
import type { AuditEventName, TokenAction } from '@portcullis/domain';
import type { z } from 'zod';
import type { WireSource } from './wire.ts';

/**
 * `public` needs no account, `user` any account, `admin` an administrator. The services check
 * ownership.
 */
export type Access = 'public' | 'user' | 'admin';

/** A fault that the operation may answer with, besides the common faults of its kind. */
export interface Fault {
  status: number;
  codes: readonly string[];
}

export type Operation = Described & (Reads | Changes);

interface Reads {
  method: 'get';
  /** The name of the audit event. A read without one is recorded only when it is denied. */
  audit?: AuditEventName;
  /** For a read that is recorded only when it fails: the faults that are recorded. */
  auditFaults?: { event: AuditEventName; codes: readonly string[] };
  auditedWhere?: undefined;
}

/** An operation that may change anything does not compile without an audit event. */
interface Changes {
  method: 'post' | 'put' | 'patch' | 'delete';
  audit: AuditEventName;
  /**
   * Recorded only where the handler says what the event is about: what a machine repeats every few
   * minutes is no event. A denial is always recorded.
   */
  auditedWhere?: 'named';
}

interface Described {
  /** Below `/api`; parameters as `{job_id}`. */
  path: `/${string}`;
  summary: string;
  access: Access;
  /** A probe of an orchestrator or a monitoring system; rate limits do not count it. */
  probe?: true;
  /**
   * Its work depends on what accounts have stored: few run at once for each account, and it ends
   * when the client leaves.
   */
  costly?: true;
  /** Also allowed to an account that must change its password first. */
  beforePasswordChange?: true;
  /**
   * The actions of which a limited token needs one, or `any`. Without it only tokens that are not
   * limited may call the operation.
   */
  token?: readonly TokenAction[] | 'any';
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body may be `application/x-www-form-urlencoded` as well, with each field once. */
  form?: true;
  /** The body may have 8 MiB in place of 1; the member names the list that makes it large. */
  large?: string;
  /** Whether `Idempotency-Key` is honoured. */
  idempotent?: true;
  success: Success;
  faults?: readonly Fault[];
}

/**
 * The reply of a success: JSON, no content, a redirect, or bytes that the handler writes itself.
 */
export type Success =
  | { status: 200 | 201 | 202; body: z.ZodType }
  | { status: 204 }
  /**
   * The handler returns the address. A fault redirects a browser to the page `faultsTo` with
   * `?error=CODE`.
   */
  | { status: 302; faultsTo: `/${string}` }
  | { status: 200; mediaTypes: readonly string[]; events?: Record<string, z.ZodType> };

export type Contract = Record<string, Operation>;

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type Sent<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a handler receives. */
export interface InputOf<O extends Operation> {
  params: Parsed<O['params']>;
  query: Parsed<O['query']>;
  body: Parsed<O['body']>;
}

/** What a client sends. */
export interface RequestOf<O extends Operation> {
  params: Sent<O['params']>;
  query: Sent<O['query']>;
  body: Sent<O['body']>;
}

/** What a handler returns: `toWire` writes the reply from it. */
export type ReplyOf<O extends Operation> = O['success'] extends { body: infer B extends z.ZodType }
  ? WireSource<B>
  : OutputOf<O>;

/** What a client receives, and the address to which a handler redirects. */
export type OutputOf<O extends Operation> = O['success'] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : O['success'] extends { status: 302 }
    ? string
    : undefined;
