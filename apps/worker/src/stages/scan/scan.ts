/**
 * Scan: the image on this disk → a report, or the reason why there is none. It never reads from the
 * source: missing blobs are downloaded by another pull, which has a separate queue and may fail
 * without a statement about the image. A report has no policy in it; `judge` applies the job's own.
 */
import {
  type Outcome,
  type ScanPolicy,
  type ScanResult,
  type StagingJob,
  scanWanted,
} from '@portcullis/domain';
import { conflict, isAppError } from '@portcullis/errors';
import { type Digest, isIndexType } from '@portcullis/oci';
import type { StagedLayout } from '../../lazy/staged-image.ts';
import type { StageAttempt } from '../../pipeline/attempt.ts';

export interface ScanPorts {
  policy(): Promise<ScanPolicy>;
  /** Why this installation has no scanner, in English; null where it has one. */
  missing(): Promise<string | null>;
  /** The stored scan of the digest, where a new scan could not find anything else. */
  recall(job: { jobId: string; digest: string }): Promise<KnownScan | null>;
  place(job: StagingJob): Promise<StagedLayout | null>;
  scan(dir: string, request: JobScanRequest): Promise<ScanResult>;
}

interface KnownScan extends ScanResult {
  scannedAt: Date;
}

export interface JobScanRequest {
  jobId: string;
  /** Digest of the image that will be pushed. The scan covers it and all manifests below it. */
  digest: string;
  /** What its index lists and this job did not bring in. */
  absent: readonly Digest[];
  timeoutSeconds: number;
  signal: AbortSignal;
}

export async function scan(attempt: StageAttempt, ports: ScanPorts): Promise<Outcome> {
  const { job, signal } = attempt;
  const { id: jobId, digest, overrides, keepIndex, mediaType } = job();
  const policy = await ports.policy();
  if (!scanWanted(policy, overrides)) return { kind: 'scan_skipped' };
  if (digest === null) throw conflict('NOT_PULLED', 'the job has no image to scan');
  const message = await ports.missing();
  // A retry would not help. The verdict is `error`, and a person may retry once there is a scanner.
  if (message !== null)
    return {
      kind: 'failed',
      error: { code: 'SCANNER_UNAVAILABLE', message, side: null, retryable: true },
    };
  // A stored scan is of the whole index.
  const isExcerpt = keepIndex && mediaType !== null && isIndexType(mediaType);
  const known = isExcerpt ? null : await ports.recall({ jobId, digest });
  if (known) {
    const { report, parts, scannedAt } = known;
    return { kind: 'scanned', report, parts, policy, known: { scannedAt } };
  }
  const request = { jobId, digest, timeoutSeconds: policy.timeoutSeconds, signal };
  const result = await scanLayout(job(), request, ports);
  return result ? { kind: 'scanned', ...result, policy } : { kind: 'blobs_wanted' };
}

/**
 * Null where the scanner needs layers that are not here. Which ones it remembers shows only now.
 */
async function scanLayout(
  job: StagingJob,
  request: Omit<JobScanRequest, 'absent'>,
  ports: ScanPorts,
): Promise<ScanResult | null> {
  const place = await ports.place(job);
  if (!place && job.pullMode === 'complete')
    throw conflict(
      'NOT_PULLED',
      'the image that was pulled is no longer in the DATA_DIR of this worker; pull it again',
    );
  return place && scanIn(place, request, ports);
}

async function scanIn(
  { dir, isWhole, absent }: StagedLayout,
  request: Omit<JobScanRequest, 'absent'>,
  { scan }: ScanPorts,
): Promise<ScanResult | null> {
  try {
    return await scan(dir, { ...request, absent });
  } catch (error) {
    if (!isWhole && isAppError(error) && error.code === 'SCAN_LAYOUT_INVALID') return null;
    throw error;
  }
}
