/** Describes figures of the overview and runs of maintenance as they are stored. */
import type { JobStatus, SeverityCounts, Verdict } from '@portcullis/domain';
import type { IndexedRepository } from '../images/records.ts';

export interface FigureScope {
  /** Folders whose repositories are counted. */
  folders: 'all' | readonly string[];
  /** Account whose jobs are counted; null for all accounts. */
  ownerId: string | null;
  since: Date;
}

export interface JobScope extends Pick<FigureScope, 'ownerId' | 'since'> {
  /** Jobs that were requested since then are recent. */
  recent: Date;
}

export interface TrendScope {
  folder: string;
  /** Null: all of the folder. */
  repository: string | null;
  since: Date;
}

export interface ImageFigures {
  repositories: number;
  tags: number;
  /** Each blob counted once. */
  bytes: number;
  folders: { folder: string; repositories: number; tags: number; bytes: number }[];
  largest: IndexedRepository[];
}

/** Each image counts with the last scan of the day. */
export interface FindingDay {
  day: string;
  images: number;
  counts: SeverityCounts;
}

export interface FindingFigures {
  scanned: number;
  unscanned: number;
  counts: SeverityCounts;
  fixable: number;
  /** By the day of the scan; days without a scan are omitted. */
  days: FindingDay[];
  worst: {
    repository: string;
    tag: string;
    digest: string;
    counts: SeverityCounts;
    verdict: Verdict | null;
    scannedAt: Date;
  }[];
}

export interface JobFigures {
  byStatus: Partial<Record<JobStatus, number>>;
  /** Days without a job are omitted; `failed` is without the blocked jobs. */
  days: { day: string; total: number; pushed: number; failed: number; blocked: number }[];
  /** Jobs that the gate stopped. */
  blocked: number;
  /** Of the recent ones, without the blocked jobs. */
  recentlyFailed: number;
}

export const MAINTENANCE_KINDS = ['gc', 'scanner-db'] as const;

export type MaintenanceKind = (typeof MAINTENANCE_KINDS)[number];

/** A requested maintenance task and its outcome. */
export interface MaintenanceRun {
  id: string;
  kind: MaintenanceKind;
  state: 'queued' | 'running' | 'done' | 'failed';
  options: Record<string, boolean>;
  result: Record<string, number>;
  error: { code: string; message: string } | null;
  logTail: string[];
  requestedBy: string;
  /** Of the API request that asked for it. */
  requestId: string | null;
  requestedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** The fence of writes; it never decreases. */
  attempts: number;
  /** The attempts that count against the limit, including this one. */
  tries: number;
}

export type MaintenanceAttempt = Pick<MaintenanceRun, 'id' | 'attempts'>;

export interface Resealed {
  done: number;
  /** No available key opens them. */
  unreadable: number;
}

export interface Reseals {
  /** Id of the key to seal all secrets with; those already sealed with it stay. */
  keyId: string;
  /** @throws AppError where it cannot be opened */
  reseal(sealed: string): string;
  onProgress?: ((progress: Resealed) => void) | undefined;
}
