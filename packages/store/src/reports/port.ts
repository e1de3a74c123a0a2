import type {
  CoverageGap,
  ReportSummary,
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

/** A report without its findings: enough to judge it. */
export interface SummarisedReport {
  summary: ReportSummary;
  counts: SeverityCounts;
  scannedAt: Date;
}

export interface FindingPlace {
  repository: string;
  folder: string;
  digest: string;
  /** The first twenty by name. */
  tags: string[];
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
  /** In place of an older one of the digest. */
  record(report: StoredReport): Promise<void>;
  find(digest: string): Promise<StoredReport | null>;
  counts(digests: readonly string[]): Promise<Map<string, SeverityCounts>>;
  /** Of those digests that have a report. */
  summaries(digests: readonly string[]): Promise<Map<string, SummarisedReport>>;
  /** Tagged images of the built-in registry, by repository. */
  search(filter: FindingFilter): Promise<{ items: FindingPlace[]; nextCursor: string | null }>;
  /** Of digests that neither a tag, a job nor a scan names. */
  removeUnused(before: Date): Promise<number>;
}

export interface ImageScan {
  id: string;
  registryId: string;
  repository: string;
  reference: string;
  digest: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  /** Fences writes, and never falls. */
  attempts: number;
  /** Of those, the ones that count, this one included. */
  tries: number;
  error: { code: string; message: string } | null;
  requestedById: string;
  requestedBy: string;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface ImageScans {
  /** `done`: its digest's report is there already. */
  insert(
    scan: Pick<
      ImageScan,
      'registryId' | 'repository' | 'reference' | 'digest' | 'requestedById'
    > & {
      state: 'queued' | 'done';
    },
  ): Promise<ImageScan>;
  find(id: string): Promise<ImageScan | null>;
  /** One of the same image by the same account that is not over yet. */
  findOpen(
    scan: Pick<ImageScan, 'registryId' | 'repository' | 'digest' | 'requestedById'>,
  ): Promise<ImageScan | null>;
  /** Newest first. */
  list(filter: {
    registryId: string;
    repository: string;
    limit?: number | undefined;
    cursor?: string | undefined;
  }): Promise<Page<ImageScan>>;
  /** The oldest that may begin, or whose worker fell silent. `attempts` fences every later write. */
  claim(): Promise<ImageScan | null>;
  renew(id: string, attempts: number): Promise<boolean>;
  finish(
    id: string,
    attempts: number,
    end: { error: ImageScan['error']; event?: AuditRecord },
  ): Promise<boolean>;
  /**
   * The newest of each image that ended in the last week, whose report has this gap and was made before that, waits
   * again, with all its tries. Gives how many.
   */
  requeue(gap: CoverageGap['kind'], scannedBefore: Date): Promise<number>;
  /** Back to those that wait: at once, or after a pause. */
  release(
    id: string,
    attempts: number,
    pause?: { seconds: number; uncounted?: boolean },
  ): Promise<void>;
}
