/** Types of retention: the tags of a folder to decide about, and the runs that remove them. */
import type { RetainedTag, RetentionRule } from '@portcullis/domain/retention';
import type { AuditRecord } from '../audit/port.ts';

export interface RetainedRepository {
  repository: string;
  tags: RetainedTag[];
}

export interface RetentionCounts {
  repositories: number;
  tagsKept: number;
  tagsRemoved: number;
  /** Removals that failed or were refused. */
  tagsFailed: number;
}

/** The newest run of a folder's rule. */
export interface RetentionRun extends RetentionCounts {
  folderId: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  /** A username; null: it was due. */
  requestedBy: string | null;
  requestedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  error: { code: string; message: string } | null;
}

/** A run that this worker has. */
export interface ClaimedRetention extends RetentionCounts {
  folderId: string;
  folder: string;
  requestedBy: string | null;
  rule: RetentionRule;
  /** The last repository that is done; null at the beginning. */
  cursor: string | null;
  /** The fence of writes. */
  attempts: number;
  /** Of the first attempt, and of this one, by the clock of the database. */
  startedAt: Date;
  claimedAt: Date;
}

type Attempt = Pick<ClaimedRetention, 'folderId' | 'attempts'>;

export interface Retention {
  /** Repositories of the folder with their tags, by name, after the given one. */
  repositories(folder: string, after?: string | null): AsyncIterable<RetainedRepository>;
  tags(repository: string): Promise<RetainedTag[]>;
  findTag(repository: string, tag: string): Promise<RetainedTag | null>;
  /** The manifests that the manifests of a repository list, by the digest of the parent. */
  children(repository: string): Promise<Map<string, string[]>>;

  latest(folderId: string): Promise<RetentionRun | null>;
  /** Null where a run is queued or running already. */
  request(folderId: string, requestedBy: string): Promise<RetentionRun | null>;
  /** Whether a run waits that was requested, or whose worker stopped. */
  waits(): Promise<boolean>;
  /**
   * Takes a run that was requested, whose worker stopped, or that is due: the last one of the
   * folder began a day ago, or its rule was found an hour ago by an earlier call.
   */
  claim(): Promise<ClaimedRetention | null>;
  /** False where the run is another worker's, or the folder has another rule now. */
  renew(run: Attempt): Promise<boolean>;
  /** As `renew`; records what is done. */
  advance(run: Attempt, done: RetentionCounts & { cursor: string | null }): Promise<boolean>;
  /**
   * Puts a run that did not end back: it is taken again after `pauseSeconds`, where it stopped.
   * Removals are recorded; the repository in which they were is counted once it is done.
   */
  release(
    run: Attempt,
    done: Pick<RetentionCounts, 'tagsRemoved' | 'tagsFailed'>,
    pauseSeconds?: number,
  ): Promise<void>;
  finish(
    run: Attempt,
    end: RetentionCounts & { error: RetentionRun['error']; event?: AuditRecord },
  ): Promise<boolean>;
}
