/** Describes staging jobs as they are stored and asked for. */
import type {
  AuditEvent,
  JobError,
  JobOrder,
  JobStatus,
  Stage,
  StagingJob,
  Verdict,
  VulnResult,
} from '@portcullis/domain';

export interface ReportFile {
  name: string;
  content: AsyncIterable<Buffer>;
}

export interface IdempotencyClaim {
  key: string;
  userId: string;
  bodyHash: string;
  /** Called before the commit when the answer is that of an earlier request. */
  replayed?: () => void;
}

export interface IdempotentAnswer {
  ids: string[];
  /** The ids are those of an earlier request: nothing was created now. */
  replayed: boolean;
}

/**
 * A job as shown in lists: without the findings, which may be megabytes. A `StagingJob` is
 * assignable to it.
 */
export type JobSummary = Omit<StagingJob, 'vulnResult'> & {
  vulnResult: Omit<VulnResult, 'vulnerabilities'> | null;
};

/** Which jobs; all of it must hold. */
export interface JobConditions {
  ownerId?: string | undefined;
  ownerName?: string | undefined;
  status?: JobStatus | readonly JobStatus[] | undefined;
  verdict?: readonly Verdict[] | undefined;
  /** Whether the gate stopped them. */
  blocked?: boolean | undefined;
  /** Parts of the image, the tag, the digest, or the name of a registry at either end. */
  q?: string | undefined;
  transferId?: string | undefined;
  /** When it was requested; inclusive. */
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
}

export interface JobFilter extends JobConditions {
  /** Default: newest first. */
  order?: JobOrder | undefined;
  /** Default 50, at most 200. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}

export interface NamedJob {
  id: string;
  image: string;
  tag: string;
}

export interface BulkOptions {
  /** Jobs of other accounts are left alone; null: those of all accounts are included. */
  ownerId: string | null;
  /** The audit event of a job, which is stored with the change. */
  event(job: NamedJob): AuditEvent;
}

/** Jobs that wait for the same stage, and were put off by the same fault if any. */
export interface JobWaits {
  stage: Stage;
  /** Null where they were not put off. */
  code: string | null;
  side: JobError['side'];
  count: number;
  /** How long the first of them has waited for the stage, however often it was put off. */
  oldestMs: number;
}

/** Disk figures in bytes; work waits while less than `reserve` is free. */
export interface StorageDisk {
  total: number;
  free: number;
  reserve: number;
}

export interface StorageScanner {
  /** `building`: it is compiled, which takes minutes more than a download. */
  binary: 'acquiring' | 'building' | 'ready' | 'unavailable';
  version: string | null;
  /** Shown to people: what is happening, or what to do. */
  message: string;
  available: boolean;
  database: {
    updatedAt: string;
    nextUpdate: string;
    source: string | null;
    javaUpdatedAt: string | null;
    javaDownloadedAt: string | null;
  } | null;
  /** Why the last update of the database failed. */
  databaseFailure: { code: string; message: string } | null;
  /** The latest download of the index of Java archives. */
  javaDownload: {
    state: 'downloading' | 'failed' | 'done';
    bytes: number;
    /** Why it failed. */
    code: string | null;
    message: string | null;
    at: string;
  } | null;
}

/** Why work that writes to a disk waits, by a code and in English. */
export interface DiskFault {
  code: string;
  message: string;
}

export interface StorageState {
  disk: StorageDisk;
  /** The disk of the built-in registry's storage; null for a worker that does not have it. */
  registryDisk: StorageDisk | null;
  /** Why the worker cannot write to it; null where it can. */
  fault: DiskFault | null;
  scanner: StorageScanner;
}

/** A DATA_DIR that workers use. */
export interface Storage {
  id: string;
  /** Null until a worker has reported it. */
  state: StorageState | null;
  /** Whether a live worker uses it. */
  isAlive: boolean;
  seenAt: Date;
}

/** A directory of a job that no longer exists. */
export interface Orphan {
  jobId: string;
  size: number;
  files: number;
  modifiedAt: Date;
  removable: boolean;
}

export interface FoundOrphans {
  items: Orphan[];
  /** False where there may be more. */
  complete: boolean;
}
