import type { JobStatus, SeverityCounts, Verdict } from '@portcullis/domain';
import type { IndexedRepository } from '../images/port.ts';

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

export interface Figures {
  images(scope: FigureScope): Promise<ImageFigures>;
  findings(scope: FigureScope): Promise<FindingFigures>;
  jobs(scope: JobScope): Promise<JobFigures>;
  /** Of tagged images, by the day of the scan; days without a scan are omitted. */
  trend(scope: TrendScope): Promise<FindingDay[]>;
  /** Of people, without robots. */
  accounts(): Promise<{ users: number; admins: number; disabled: number }>;
}
