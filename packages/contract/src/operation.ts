/**
 * An operation of the REST API as data: it validates, gates access, names the audit kind, describes
 * itself and types both the server's handler and the web page's client.
 */
import type { z } from 'zod';

/**
 * `public`: nobody asks; `user`: any account; `admin`: `is_admin`. Ownership is the service's
 * business.
 */
export type Access = 'public' | 'user' | 'admin';

/** A fault an operation may answer with, besides those every one of its kind has. */
export interface Fault {
  status: number;
  codes: readonly string[];
}

export type Operation = Described & (Reads | Changes);

interface Reads {
  method: 'get';
  /** The audit event's name; a reading without one is recorded only when it is denied. */
  audit?: string;
  /** Of a reading that is no event where it succeeds: these faults of it are. */
  auditFaults?: { event: string; codes: readonly string[] };
}

/** What may change anything has an audit event, or it doesn't compile. */
interface Changes {
  method: 'post' | 'put' | 'patch' | 'delete';
  audit: string;
}

interface Described {
  /** Below `/api`; parameters as `{job_id}`. */
  path: `/${string}`;
  summary: string;
  access: Access;
  /** Asked every few seconds by whoever keeps us running: no budget counts it. */
  probe?: true;
  /** Also for an account that must change its password first. */
  beforePasswordChange?: true;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Whether `Idempotency-Key` is honoured. */
  idempotent?: true;
  success: Success;
  faults?: readonly Fault[];
}

/**
 * What comes back when all is well: JSON, nothing, a redirect, or bytes that the handler writes
 * itself.
 */
export type Success =
  | { status: 200 | 201 | 202; body: z.ZodType }
  | { status: 204 }
  /**
   * The handler gives the address. A fault leads a browser to the page `faultsTo`, with
   * `?error=CODE`.
   */
  | { status: 302; faultsTo: `/${string}` }
  | { status: 200; mediaTypes: readonly string[]; events?: Record<string, z.ZodType> };

export type Contract = Record<string, Operation>;

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type Sent<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a handler is given. */
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

/** What a handler gives back and a client receives. */
export type OutputOf<O extends Operation> = O['success'] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : O['success'] extends { status: 302 }
    ? string
    : undefined;
