/**
 * What is here of the job's image → a report, or why there is none. No source is asked: what is missing is for a pull to
 * fetch, which may fail without a word about the image, and whose queue isn't that of the scans. What a report means is
 * `judge`'s business: one that is known already is judged under the job's own policy, which plays no part in what a scan
 * finds.
 */
import {
  type Outcome,
  type ScanPolicy,
  type ScanReport,
  type StagingJob,
  scanWanted,
} from '@portcullis/domain';
import { conflict, isAppError } from '@portcullis/errors';
import type { StagedLayout } from '../../lazy/staged-image.ts';
import type { StageAttempt } from '../../pipeline/attempt.ts';

export interface ScanPorts {
  policy(): Promise<ScanPolicy>;
  /** Why this installation has no scanner, in words for people; null where it has one. */
  missing(): Promise<string | null>;
  /** A scan of the same digest, if the next one could find nothing else. */
  recall(job: { jobId: string; digest: string }): Promise<KnownScan | null>;
  place(job: StagingJob): Promise<StagedLayout | null>;
  scan(dir: string, request: JobScanRequest): Promise<ScanReport>;
}

export interface KnownScan {
  scannedAt: Date;
  report: ScanReport;
}

export interface JobScanRequest {
  jobId: string;
  /** Of the image that will be pushed: the scan covers it and all that lies beneath. */
  digest: string;
  timeoutSeconds: number;
  signal: AbortSignal;
}

export async function scan(attempt: StageAttempt, ports: ScanPorts): Promise<Outcome> {
  const { job, signal } = attempt;
  const { id: jobId, digest, overrides } = job();
  const policy = await ports.policy();
  if (!scanWanted(policy, overrides)) return { kind: 'scan_skipped' };
  if (digest === null) throw conflict('NOT_PULLED', 'the job has no image to scan');
  const message = await ports.missing();
  // No use in trying again by itself: the verdict says `error`, and a person may retry once there is a scanner.
  if (message !== null)
    return {
      kind: 'failed',
      error: { code: 'SCANNER_UNAVAILABLE', message, side: null, retryable: true },
    };
  const known = await ports.recall({ jobId, digest });
  if (known) return { kind: 'scanned', report: known.report, policy, known };
  const request = { jobId, digest, timeoutSeconds: policy.timeoutSeconds, signal };
  const report = await scanPlace(job(), request, ports);
  return report ? { kind: 'scanned', report, policy } : { kind: 'blobs_wanted' };
}

/** Null where the scanner needs what isn't here: which layers it remembers it doesn't say before. */
async function scanPlace(
  job: StagingJob,
  request: JobScanRequest,
  ports: ScanPorts,
): Promise<ScanReport | null> {
  const place = await ports.place(job);
  if (!place && job.pullMode === 'complete')
    throw conflict(
      'NOT_PULLED',
      'the image that was pulled is no longer in the DATA_DIR of this worker; pull it again',
    );
  return place && scanIn(place, request, ports);
}

async function scanIn(
  { dir, isWhole }: StagedLayout,
  request: JobScanRequest,
  { scan }: ScanPorts,
): Promise<ScanReport | null> {
  try {
    return await scan(dir, request);
  } catch (error) {
    if (!isWhole && isAppError(error) && error.code === 'SCAN_LAYOUT_INVALID') return null;
    throw error;
  }
}
