import type { Logger, Redis } from '@portcullis/runtime';

/** decisions.md § Audit and notification. These are the field names of the document, on the wire and in exports. */
export interface AuditEvent {
  id: string;
  /** RFC 3339, UTC. */
  at: string;
  event: string;
  outcome: 'success' | 'denied' | 'failure';
  actor: {
    id: string | null;
    name: string;
    auth: 'session' | 'token' | 'basic' | 'oidc' | 'system' | 'none';
    token_id?: string;
  };
  action: string;
  resource: { kind: string; id: string | null; name: string | null; folder?: string | undefined } | null;
  client_ip: string | null;
  user_agent: string | null;
  method: string | null;
  path: string | null;
  status: number | null;
  duration_ms: number | null;
  request_id: string | null;
  detail: Record<string, unknown>;
}

export interface ProgressMessage {
  jobId: string;
  ownerId: string;
  /** `job`: the row changed; `progress`: its counters moved. */
  kind: 'job' | 'progress';
  data: Record<string, unknown>;
}
/** `id` is what a client sends back as `Last-Event-ID`. */
export interface ProgressEvent extends ProgressMessage {
  id: string;
}

export interface ConsumeOptions {
  /** This process. */
  consumer: string;
  /** Events given at once; default 100. */
  batch?: number;
  log?: Pick<Logger, 'warn' | 'error'>;
}
export interface AuditConsumer {
  stop(): Promise<void>;
}
export interface TrimResult {
  length: number;
  trimmed: number;
  /** Events that were dropped though a group had not acknowledged them: the ceiling was reached. An alarm. */
  lost: number;
}

/** On the stream when the promise resolves. @throws unavailable `EVENTS_UNAVAILABLE` */
export declare function publish(redis: Redis, event: AuditEvent): Promise<void>;
/** Newest first. */
export declare function recent(redis: Redis, limit?: number): Promise<AuditEvent[]>;
/** Reads all events for a group, acknowledges what `handler` resolved for, gives the rest again with back-off. */
export declare function consume(
  redis: Redis,
  group: string,
  handler: (events: AuditEvent[]) => Promise<void>,
  options: ConsumeOptions,
): AuditConsumer;
/** Shortens the stream to `maxEvents`, but never past what every group of `groups` acknowledged, up to `ceiling`. */
export declare function trim(
  redis: Redis,
  options: { maxEvents: number; ceiling?: number; groups: readonly string[] },
): Promise<TrimResult>;
export declare function publishProgress(redis: Redis, message: ProgressMessage): Promise<void>;
/** From after `since` (an event's id) or from now on; ends when `signal` is aborted. One connection for all subscribers. */
export declare function subscribeProgress(
  redis: Redis,
  options: { since?: string | null; signal: AbortSignal },
): AsyncIterable<ProgressEvent>;
