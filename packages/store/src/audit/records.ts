/** Describes the audit log as it is asked for. */
import type { AuditEvent } from '@portcullis/domain';
export interface AuditFilter {
  /** The actor's name. */
  actor?: string | undefined;
  event?: string | undefined;
  outcome?: AuditEvent['outcome'] | undefined;
  /** Only what the gate refused and a privilege allowed. */
  bypassed?: true | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Words that must all be in the event; see `searchOf` in packages/domain. */
  q?: string | undefined;
}

/** A position in the archive: newest first, by id where times are equal. */
export interface AuditPosition {
  at: Date;
  id: string;
}

export interface AuditPageOptions {
  /** Only older events than this position. */
  after?: AuditPosition | null | undefined;
  /** Default 50, at most 1000. */
  limit?: number | undefined;
}

export interface AuditPage {
  items: AuditEvent[];
  /**
   * How far the archive was searched, which may be beyond the last item; null where the end was
   * reached.
   */
  reached: AuditPosition | null;
}

/** The audit scope of one request or task: it ties the request's writes to its event. */
export interface AuditScope {
  /**
   * The first write to the database in `work` commits the draft of the event in its transaction.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Commits the draft now: before an effect outside the database. */
  intend(): Promise<void>;
  /**
   * Completes the event, or drops it if null. Returns false where nothing was written: then the
   * event has no row, and the caller publishes it. A scope that never ends is published as drafted
   * after a minute.
   */
  end(event: AuditEvent | null): Promise<boolean>;
  /**
   * Whether a write was attempted: it may be committed even where its answer was lost and the work
   * failed.
   */
  mayHaveChanged(): boolean;
}
