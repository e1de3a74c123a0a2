import type { JobStatus, SeverityCounts, Verdict } from '@portcullis/domain';
import type { IndexedRepository } from '../images/port.ts';

export interface FigureScope {
  /** Folders whose repositories count. */
  folders: 'all' | readonly string[];
  /** Whose jobs count; null: everybody's. */
  ownerId: string | null;
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

export interface FindingFigures {
  scanned: number;
  unscanned: number;
  counts: SeverityCounts;
  fixable: number;
  /** By the day of the scan, each image by the day's last; days without a scan are left out. */
  days: { day: string; images: number; counts: SeverityCounts }[];
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
  /** Days without a job are left out. */
  days: { day: string; total: number; pushed: number; failed: number; blocked: number }[];
  /** Of those that are staged now. */
  blocked: number;
}

export interface Figures {
  images(scope: FigureScope): Promise<ImageFigures>;
  findings(scope: FigureScope): Promise<FindingFigures>;
  jobs(scope: FigureScope): Promise<JobFigures>;
  accounts(): Promise<{ users: number; admins: number; disabled: number }>;
}
