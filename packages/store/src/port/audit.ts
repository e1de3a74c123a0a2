/** An audit event (decisions.md § Audit and notification), kept as it is. */
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
  /** Delivered twice is stored once. */
  insert(events: readonly AuditRecord[]): Promise<void>;
  /** Newest first. A page may be short, or empty, though more follows: a search looks at so much at once, no more. */
  list(filter: AuditFilter, page?: AuditPageOptions): Promise<AuditPage>;
  removeOlderThan(days: number): Promise<number>;
}
