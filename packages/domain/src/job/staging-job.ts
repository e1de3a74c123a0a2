/** The staging job: its pushes, its timeline, and the outcomes of its stages. */
import type { BypassOrder } from '../policy/bypass.ts';
import type {
  PartReport,
  ScanOverrides,
  ScanPolicy,
  ScanReport,
  Verdict,
  VulnResult,
} from '../policy/vulnerability.ts';
import type { JobStatus, Stage } from './job-status.ts';
import type { ReferrerLeft, TimelineEntry } from './timeline.ts';

/** Source of the image. The password of an ad-hoc host is stored encrypted, apart from the job. */
export interface JobSource {
  kind: 'dockerhub' | 'registry' | 'host';
  /** `LOCAL_REGISTRY_ID` for the built-in registry, under whatever host name. */
  registryId: string | null;
  host: string;
  /** Given for an ad-hoc host. Absent: TLS is required, except on loopback. */
  useTls?: boolean;
  tlsVerify?: boolean;
}

/** Counters of the current or last stage; `rate` in bytes per second. */
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

type PushStatus = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** A folder of the built-in registry or a saved registry, with the name of an image there. */
export interface JobDestination {
  kind: 'local' | 'registry';
  registryId: string | null;
  host: string;
  /** Null outside the local registry. */
  folder: string | null;
  repository: string;
  tag: string;
}

/** One push of a staged job. `repository` is the path that was checked and is written. */
/** A waiver that an image passed the gate by. */
export interface PassedWaiver {
  id: string;
  vulnerability: string;
  /** Usernames as they were then. */
  approvedBy: string[];
  /** RFC 3339. */
  until: string;
}

export interface Push {
  id: string;
  status: PushStatus;
  /** `local`: the built-in registry; `registry`: a saved one; `host`: an ad-hoc host. */
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
  /** Number of scans that this push waited for because of a newer database. Absent: none. */
  scans?: number;
  bypass: BypassOrder;
  /** The code that would have refused the push without the privilege. Absent: none. */
  bypassed?: string;
  /** Those that covered findings which would have refused the push; at most 50. Absent: none. */
  waivers?: PassedWaiver[];
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

/** The mode that a job begins with: only the jobs of a transfer push by themselves. */
export function initialPullMode({ auto }: Pick<StagingJob, 'auto'>): PullMode {
  return auto ? 'lazy' : 'eager';
}

/** `required`: the job fails where one of them can't be copied. */
export type ReferrerChoice = boolean | 'required';

export interface StagingJob {
  id: string;
  ownerId: string;
  ownerName: string;
  status: JobStatus;
  image: string;
  tag: string;
  source: JobSource;
  platforms: 'all' | string[];
  /** Of an index only the manifests of `platforms` are copied, and the index as it is. */
  keepIndex: boolean;
  digest: string | null;
  /**
   * Digest that pulls read at the source. `digest` is another one where selected platforms were
   * copied: that of the index that the pull wrote.
   */
  sourceDigest: string | null;
  /** When this installation first saw the image. Null: it is not pulled yet, or it is unknown. */
  sightedAt: Date | null;
  mediaType: string | null;
  size: number | null;
  /**
   * Storage (DATA_DIR) with the image of the last pull. Null: not pulled yet, or restored from a
   * backup.
   */
  storageId: string | null;
  /**
   * When the image was removed from the storage to make room. Null: it was not, or it was pulled
   * again since.
   */
  imageReleasedAt: Date | null;
  progress: Progress;
  verdict: Verdict;
  vulnResult: VulnResult | null;
  overrides: ScanOverrides;
  /** A job of a transfer: it pushes by itself once the gate allows it. */
  auto: boolean;
  pullMode: PullMode;
  transferId: string | null;
  /** Whether signatures, SBOMs and attestations are copied with the image. */
  withReferrers: ReferrerChoice;
  /** Where it is to be pushed, as the pull said; null where it said nothing. */
  destination: JobDestination | null;
  /** Oldest first; only the last one can be open. */
  pushes: Push[];
  error: JobError | null;
  /** Attempts of the current stage. */
  attempts: number;
  /**
   * Fencing number: it rises when a worker begins a stage, and writes with a lower one are refused.
   */
  fence: number;
  cancelRequested: boolean;
  timeline: TimelineEntry[];
  /**
   * Of the API request, or of the run of a schedule, that last set it going. Null where no request
   * did.
   */
  requestId: string | null;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
}

/**
 * What a pull reads at the source: after the first one always the same content, also where the tag
 * has moved.
 */
export function sourceReference({
  sourceDigest,
  tag,
}: Pick<StagingJob, 'sourceDigest' | 'tag'>): string {
  return sourceDigest ?? tag;
}

/** What a stage reports to the pipeline. */
export type Outcome =
  /** `unscanned`: no scan is wanted, so the job skips the queue of scans. */
  | {
      kind: 'pulled';
      digest: string;
      mediaType: string;
      size: number;
      /** When this installation first saw it. */
      sightedAt: Date;
      unscanned?: boolean;
      /** Referrers that were not copied. */
      referrersLeft?: readonly ReferrerLeft[];
      /** Of the gate, where the folder of the source would have refused other accounts. */
      decision?: object;
    }
  /** `known`: the result is that of an earlier scan, to which a new one could add nothing. */
  | {
      kind: 'scanned';
      report: ScanReport;
      parts?: PartReport[];
      policy: ScanPolicy;
      known?: { scannedAt: Date };
    }
  | { kind: 'scan_skipped' }
  /**
   * `bypassed`: the code that would have refused the push without the privilege. `decision`: that
   * of the gate, for the audit log.
   */
  | {
      kind: 'pushed';
      digest: string;
      bytesMounted: number;
      referrersLeft?: readonly ReferrerLeft[];
      bypassed?: string | null;
      waivers?: PassedWaiver[];
      decision?: object;
    }
  | { kind: 'failed'; error: JobError; decision?: object }
  | { kind: 'cancelled' }
  | { kind: 'handed_back' }
  /** Preempted, so that a job of another account can run. Downloaded blobs are kept. */
  | { kind: 'made_room' }
  /** The scan needs layers that a lazy pull left at the source. */
  | { kind: 'blobs_wanted' }
  /** No worker has the storage of the image any more, and the job waits for a scan or a push. */
  | { kind: 'storage_lost' }
  /**
   * The push needs a scan first, because the vulnerability database is newer than the last scan.
   */
  | { kind: 'scan_wanted' }
  /**
   * A transient fault: the stage is retried after `seconds`. `uncounted`: the attempt doesn't
   * count.
   */
  | { kind: 'put_off'; error: JobError; seconds: number; uncounted?: boolean };

const STAGE_OF: Partial<Record<JobStatus, Stage>> = {
  pull_queued: 'pull',
  pulling: 'pull',
  scan_queued: 'scan',
  scanning: 'scan',
  push_queued: 'push',
  pushing: 'push',
};

/** The stage that a status asks for. A running status counts, too: its worker may have crashed. */
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
