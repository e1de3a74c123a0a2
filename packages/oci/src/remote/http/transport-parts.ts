/**
 * What a transport is made of: settings that can be sent to another thread, and functions that stay
 * on the thread that made the transport.
 */
import type { DialerOptions } from './dial.ts';
import type { Limiter } from './host-limiter.ts';
import type { GuardedLookup } from './lookup.ts';
import type { Headers } from './response-head.ts';
import type { RetryPolicy } from './retry.ts';
import type { StallLimits } from './stall.ts';

/** How a client identifies itself to registries. */
export interface ClientIdentity {
  /** OAuth2 `client_id`, and the vendor in the media type of placeholder manifests. */
  id: string;
  userAgent: string;
  /** Prefix of the annotations that this client writes, such as `com.example`. */
  annotationPrefix: string;
}

/** Subset of a pino logger. */
export interface TransportLog {
  debug(facts: Record<string, unknown>, message: string): void;
}

/** A request that is traced. */
export interface TracedRequest {
  /** Sent with the request, so that the server can continue the trace. */
  headers: Headers;
  /** Called once, when the body of the answer is read or given up. */
  ended(outcome: { status?: number | undefined; error?: unknown }): void;
}

/** Null where the request is not traced. It never gets a query or a header. */
export type TraceRequest = (
  request: { method: string } & Pick<URL, 'hostname' | 'port' | 'pathname'>,
) => TracedRequest | null;

export interface TransportSettings extends Pick<DialerOptions, 'timeoutMs' | 'socket'> {
  stall: StallLimits;
  retry: RetryPolicy;
  client: ClientIdentity;
  redirectOrigins: readonly string[] | undefined;
  /** Sent with every request. */
  headers?: Headers | undefined;
}

export interface TransportParts {
  settings: TransportSettings;
  lookup: GuardedLookup;
  proxy: NonNullable<DialerOptions['proxy']>;
  limiter: Limiter;
  log: TransportLog | undefined;
  trace?: TraceRequest | undefined;
}
