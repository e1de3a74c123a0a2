/**
 * What a transport is made of: settings that can be sent to another thread, and functions that stay
 * on the thread that made the transport.
 */
import type { DialerOptions } from './dial.ts';
import type { Limiter } from './host-limiter.ts';
import type { GuardedLookup } from './lookup.ts';
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

export interface TransportSettings extends Pick<DialerOptions, 'timeoutMs' | 'socket'> {
  stall: StallLimits;
  retry: RetryPolicy;
  client: ClientIdentity;
  redirectOrigins: readonly string[] | undefined;
}

export interface TransportParts {
  settings: TransportSettings;
  lookup: GuardedLookup;
  proxy: NonNullable<DialerOptions['proxy']>;
  limiter: Limiter;
  log: TransportLog | undefined;
}
