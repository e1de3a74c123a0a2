/**
 * The job's layout → a report, or why there is none. What it means is `judge`'s business: a report that is known already
 * is judged under the job's own policy, which plays no part in what a scan finds.
 */
import { type Outcome, type ScanPolicy, type ScanReport, scanWanted } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { Attempt } from '../attempt.ts';

export interface ScanPorts {
  policy(): Promise<ScanPolicy>;
  /** Why this installation has no scanner, in words for people; null where it has one. */
  missing(): Promise<string | null>;
  /** A scan of the same digest, if the next one could find nothing else. */
  recall(job: { jobId: string; digest: string }): Promise<KnownScan | null>;
  /** Fetches what a pull left at the source because no scan needed it then. */
  complete(attempt: Attempt): Promise<void>;
  /** Without layers that the scanner remembers; null where it lacks one, where all are here, and where it may not be. */
  scanByMemory(attempt: Attempt, request: ScanRequest): Promise<ScanReport | null>;
  scan(request: ScanRequest): Promise<ScanReport>;
}

export interface KnownScan {
  scannedAt: Date;
  report: ScanReport;
}

export interface ScanRequest {
  jobId: string;
  /** Of the image that will be pushed: the scan covers it and all that lies beneath. */
  digest: string;
  timeoutSeconds: number;
  signal: AbortSignal;
}

export async function scan(attempt: Attempt, ports: ScanPorts): Promise<Outcome> {
  const { job, signal } = attempt;
  const { id: jobId, digest, overrides } = job();
  const policy = await ports.policy();
  if (!scanWanted(policy, overrides)) return { kind: 'scan_skipped' };
  if (digest === null) throw conflict('NOT_PULLED', 'the job has no image to scan');
  const message = await ports.missing();
  // No use in trying again by itself: the verdict says `error`, and a person may retry once there is a scanner.
  if (message !== null)
    return { kind: 'failed', error: { code: 'SCANNER_UNAVAILABLE', message, side: null, retryable: true } };
  const known = await ports.recall({ jobId, digest });
  if (known) return { kind: 'scanned', report: known.report, policy, known };
  const request = { jobId, digest, timeoutSeconds: policy.timeoutSeconds, signal };
  return { kind: 'scanned', report: await scanContent(attempt, request, ports), policy };
}

/** What the scanner remembers of a layer it doesn't say before it needs it: its keys are hashes of its analyzers, too. */
async function scanContent(attempt: Attempt, request: ScanRequest, ports: ScanPorts): Promise<ScanReport> {
  const report = await ports.scanByMemory(attempt, request);
  if (report) return report;
  await ports.complete(attempt);
  return ports.scan(request);
}
