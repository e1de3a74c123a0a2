import type {
  CoverageGap,
  PartReport,
  ReportFacts,
  ScanReport,
  Severity,
  SeverityCounts,
} from '@portcullis/domain';
import type { AuditRecord } from '../audit/port.ts';
import type { Page } from '../page-port.ts';

export interface StoredReport {
  digest: string;
  report: ScanReport;
  scannedAt: Date;
}

/** What is known of a digest's scans, without the report: enough for a standing. */
export interface DigestFacts {
  /** The newest report; null before the first scan ended. */
  report: {
    facts: ReportFacts;
    counts: SeverityCounts;
    scannedAt: Date;
    scanner: { name: string; version: string };
  } | null;
  /**
   * The repositories whose newest requested scan failed, after the report if there is one. `all`:
   * there is no report, and a scan in the background failed.
   */
  failedScanIn: 'all' | readonly string[];
}

export interface FindingPlace {
  repository: string;
  folder: string;
  digest: string;
  /** The first twenty, sorted by name. */
  tags: string[];
  /** Of the image in this repository. */
  tagCount: number;
  vulnerability: string;
  severity: Severity;
  package: string;
  installedVersion: string;
  fixedVersion: string | null;
  scannedAt: Date;
}

export interface FindingFilter {
  /** Folders whose repositories are searched. */
  folders: 'all' | readonly string[];
  vulnerability?: string | undefined;
  package?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface ImageReports {
  /** Replaces older reports of the digest and of the manifests below it. */
  record(report: StoredReport, parts?: readonly PartReport[]): Promise<void>;
  find(digest: string): Promise<StoredReport | null>;
  counts(digests: readonly string[]): Promise<Map<string, SeverityCounts>>;
  /** Since when the digest has each vulnerability of its report. */
  firstSeen(digest: string): Promise<Map<string, Date>>;
  /** Without digests that have neither a report nor a failed scan. */
  facts(digests: readonly string[]): Promise<Map<string, DigestFacts>>;
  /** Tagged images of the built-in registry, by repository. */
  search(filter: FindingFilter): Promise<{ items: FindingPlace[]; nextCursor: string | null }>;
  /**
   * Reports made with the database `from`, and those of the manifests below, are the same with
   * `to`; the dates are as the scanner wrote them. Returns how many still were of `from`.
   */
  confirm(digests: readonly string[], from: string | null, to: string): Promise<number>;
  /** Removes reports of digests that no tag, index, job or scan references. */
  removeUnused(before: Date): Promise<number>;
}

export interface ImageScan {
  id: string;
  registryId: string;
  repository: string;
  reference: string;
  digest: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  /** The fence of writes; it never decreases. */
  attempts: number;
  /** The attempts that count against the limit, including this one. */
  tries: number;
  error: { code: string; message: string } | null;
  requestedById: string;
  requestedBy: string;
  /** Of the API request that asked for it. */
  requestId: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

type DueScan = Pick<ImageScan, 'id' | 'attempts'>;

export interface ImageScans {
  /** `done`: the digest already has a report. */
  insert(
    scan: Pick<
      ImageScan,
      'registryId' | 'repository' | 'reference' | 'digest' | 'requestedById'
    > & {
      state: 'queued' | 'done';
    },
  ): Promise<ImageScan>;
  find(id: string): Promise<ImageScan | null>;
  /** A scan of the same image by the same account that has not ended. */
  findOpen(
    scan: Pick<ImageScan, 'registryId' | 'repository' | 'digest' | 'requestedById'>,
  ): Promise<ImageScan | null>;
  /** Newest first. */
  list(filter: {
    registryId: string;
    repository: string;
    /** Only those that have not ended. */
    isOpen?: boolean;
    limit?: number | undefined;
    cursor?: string | undefined;
  }): Promise<Page<ImageScan>>;
  /** Scans that a worker may claim, the oldest thousand. */
  due(): Promise<DueScan[]>;
  /**
   * The oldest scan that may begin, or whose worker is dead. `attempts` fences every later write.
   */
  claim(): Promise<ImageScan | null>;
  renew(id: string, attempts: number): Promise<boolean>;
  finish(
    id: string,
    attempts: number,
    end: { error: ImageScan['error']; event?: AuditRecord },
  ): Promise<boolean>;
  /**
   * Requeues, with all tries, the newest scan of each image that ended in the last week, if its
   * report has this gap and is older than the date.
   */
  requeue(gap: CoverageGap['kind'], scannedBefore: Date): Promise<DueScan[]>;
  /** Requeues a scan, at once or after a pause. */
  release(
    id: string,
    attempts: number,
    pause?: { seconds: number; uncounted?: boolean },
  ): Promise<void>;
}
