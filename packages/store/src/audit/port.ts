/** An audit event, kept as it is. */
export interface AuditRecord {
  id: string;
  at: string;
  event: string;
  outcome: 'success' | 'denied' | 'failure';
  actor: {
    id: string | null;
    name: string;
    auth: 'session' | 'token' | 'basic' | 'oidc' | 'system' | 'none';
    token_id?: string | undefined;
  };
  action: string;
  resource: {
    kind: string;
    id: string | null;
    name: string | null;
    folder?: string | undefined;
  } | null;
  client_ip: string | null;
  user_agent: string | null;
  method: string | null;
  path: string | null;
  status: number | null;
  duration_ms: number | null;
  request_id: string | null;
  detail: Record<string, unknown>;
}

export interface AuditFilter {
  /** The actor's name. */
  actor?: string | undefined;
  event?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Words that all must be in the event; see `searchOf` in packages/domain. */
  q?: string | undefined;
}

/** A place in the order of the archive: newest first, and by id where times are equal. */
export interface AuditPosition {
  at: Date;
  id: string;
}

export interface AuditPageOptions {
  /** Only what comes after it, that is: what is older. */
  after?: AuditPosition | null | undefined;
  /** Default 50, at most 1000. */
  limit?: number | undefined;
}

export interface AuditPage {
  items: AuditRecord[];
  /** How far the archive was looked through, which may be beyond the last item; null: to its end. */
  reached: AuditPosition | null;
}

export interface AuditArchive {
  /** Delivered twice is stored once. What the outbox still holds of them goes, in the same transaction. */
  insert(events: readonly AuditRecord[]): Promise<void>;
  /**
   * Takes events straight from the outbox that were published so long ago and never came: the stream lost them. How
   * many.
   */
  rescue(olderThanMs: number): Promise<number>;
  /** Newest first. A page may be short, or empty, though more follows: a search looks at so much at once, no more. */
  list(filter: AuditFilter, page?: AuditPageOptions): Promise<AuditPage>;
  removeOlderThan(days: number): Promise<number>;
}

/** One request, or one task, on the way to its audit event. */
export interface AuditTrail {
  /** The first write to the database in `work` commits the draft of the event with it. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Commits the draft now: before an effect that is not in the database. */
  intend(): Promise<void>;
  /**
   * The event as it is in the end, or null for none. False where nothing was written: the event has no row, and the
   * caller passes it on. A trail that never ends is published as the draft says, once a minute has passed.
   */
  end(event: AuditRecord | null): Promise<boolean>;
  /** Whether a write was tried: then it may be committed, also where its answer was lost and the work failed. */
  mayHaveChanged(): boolean;
}

export interface Outbox {
  /** `draft`: the event as it would be if the process died now; its id is the event's. */
  trail(draft: () => AuditRecord): AuditTrail;
  /** Events without a change of their own, which can't be published now. */
  put(events: readonly AuditRecord[]): Promise<void>;
  /**
   * Gives `send` the next events in order and marks them as published to the stream it names; how many. One caller in
   * the whole installation at a time; the others wait for it. What `send` throws leaves all as it was.
   */
  publish(send: (events: AuditRecord[]) => Promise<string>, limit: number): Promise<number>;
  /** What was published to another stream than this one, and is not archived, will be published again. How many. */
  republish(stream: string): Promise<number>;
  /** Of events that could be published. */
  waiting(): Promise<{ count: number; oldestAgeMs: number | null }>;
}
