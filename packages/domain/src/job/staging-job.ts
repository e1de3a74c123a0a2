/** The staging job: its states and stages, its pushes, its timeline, and the outcomes of a stage. */
import type {
  ScanOverrides,
  ScanPolicy,
  ScanReport,
  Verdict,
  VulnResult,
} from '../policy/vulnerability.ts';
import type { JobStatus, Stage } from './job-status.ts';
import type { TimelineEntry } from './timeline.ts';

/** Where the image comes from. An ad-hoc host's password is kept sealed in the job's row, never here. */
export interface JobSource {
  kind: 'dockerhub' | 'registry' | 'host';
  /** `LOCAL_REGISTRY_ID` for the built-in registry, however the caller spelled its host. */
  registryId: string | null;
  host: string;
  /** Stated for an ad-hoc host; absent: TLS, and a loopback host without it, too. */
  useTls?: boolean;
  tlsVerify?: boolean;
}

/** Bytes and blobs of the stage that runs, or ran last; `rate` in bytes a second. */
export interface Progress {
  phase: Stage | 'done';
  bytesDone: number;
  bytesTotal: number;
  blobsDone: number;
  blobsTotal: number;
  bytesReused: number;
  rate: number;
}

export interface JobError {
  code: string;
  message: string;
  side: 'source' | 'target' | null;
  retryable: boolean;
}

export type PushStatus = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** One push of a staged job. `repository` is the very path that was checked and will be written. */
export interface Push {
  id: string;
  status: PushStatus;
  /** `local`: the built-in registry; `registry`: a saved one; `host`: one named for this push. */
  kind: 'local' | 'registry' | 'host';
  registryId: string | null;
  host: string;
  repository: string;
  tag: string;
  digest: string | null;
  bytesDone: number;
  bytesTotal: number;
  bytesMounted: number;
  error: JobError | null;
  /** Scans that it waited for, each because of a newer database. Absent: none. */
  scans?: number;
  requestedById: string;
  requestedBy: string;
  createdAt: Date;
  finishedAt: Date | null;
}

/**
 * Which blobs a pull downloads. `eager`: all. `lazy`: the manifests, and the layers that its scan
 * has to read. `complete`: what an earlier lazy pull left at the source, because the scan needs it.
 */
export type PullMode = 'eager' | 'lazy' | 'complete';

/** The mode that a job begins with: only a transfer knows that a push follows by itself. */
export function initialPullMode({ auto }: Pick<StagingJob, 'auto'>): PullMode {
  return auto ? 'lazy' : 'eager';
}

export interface StagingJob {
  id: string;
  ownerId: string;
  ownerName: string;
  status: JobStatus;
  image: string;
  tag: string;
  source: JobSource;
  platforms: 'all' | string[];
  digest: string | null;
  mediaType: string | null;
  size: number | null;
  /** The storage (DATA_DIR) that its last pull left the image in; null: not pulled yet, or any. */
  storageId: string | null;
  progress: Progress;
  verdict: Verdict;
  vulnResult: VulnResult | null;
  overrides: ScanOverrides;
  /** A transfer's job: it pushes by itself once the gate lets it. */
  auto: boolean;
  pullMode: PullMode;
  transferId: string | null;
  /** Signatures, SBOMs and attestations travel along. */
  withReferrers: boolean;
  /** Oldest first; the last one is the one that runs. */
  pushes: Push[];
  error: JobError | null;
  /** Tries of the present stage. */
  attempts: number;
  /** Raised each time a worker begins a stage; a write with an older number is refused. */
  fence: number;
  cancelRequested: boolean;
  timeline: TimelineEntry[];
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
}

/** What a worker stage reports. */
export type Outcome =
  /** `unscanned`: no scan is wanted, so the job needn't wait behind those that are. */
  | {
      kind: 'pulled';
      digest: string;
      mediaType: string;
      size: number;
      unscanned?: boolean;
      /** Some referrers are images, which only travel as images. */
      referrersLeft?: boolean;
    }
  /** `known`: of a scan of the same content before, when nothing else could be found in it. */
  | { kind: 'scanned'; report: ScanReport; policy: ScanPolicy; known?: { scannedAt: Date } }
  | { kind: 'scan_skipped' }
  | { kind: 'pushed'; digest: string; bytesMounted: number }
  | { kind: 'failed'; error: JobError }
  | { kind: 'cancelled' }
  | { kind: 'handed_back' }
  /** Handed back so that a job of another account can run; what was moved so far is kept. */
  | { kind: 'made_room' }
  /** Of a scan that lacks something of the image: what a pull left at its source. */
  | { kind: 'blobs_wanted' }
  /** No worker has the storage that its image is in, and the job waits for its scan or its push. */
  | { kind: 'storage_lost' }
  /** Of a push whose scan went by an older database than the one of now. */
  | { kind: 'scan_wanted' }
  /** A fault that may pass: the same stage again, `seconds` from now; `uncounted` where it isn't the job's, however often. */
  | { kind: 'put_off'; error: JobError; seconds: number; uncounted?: boolean };

const STAGE_OF: Partial<Record<JobStatus, Stage>> = {
  pull_queued: 'pull',
  pulling: 'pull',
  scan_queued: 'scan',
  scanning: 'scan',
  push_queued: 'push',
  pushing: 'push',
};

/** The stage a state asks for: also for a running one, which a crash may have left behind. */
export function nextStage(job: Pick<StagingJob, 'status'>): Stage | null {
  return STAGE_OF[job.status] ?? null;
}

export function isSettled(status: JobStatus): boolean {
  return STAGE_OF[status] === undefined;
}

export const NO_PROGRESS: Progress = {
  phase: 'pull',
  bytesDone: 0,
  bytesTotal: 0,
  blobsDone: 0,
  blobsTotal: 0,
  bytesReused: 0,
  rate: 0,
};
