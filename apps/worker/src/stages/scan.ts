/** The job's layout → a report, or why there is none. What it means is `judge`'s business. */
import { type Outcome, type ScanPolicy, type ScanReport, scanWanted } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { Attempt } from '../attempt.ts';

export interface ScanPorts {
  policy(): Promise<ScanPolicy>;
  /** Why this installation has no scanner, in words for people; null where it has one. */
  missing(): Promise<string | null>;
  /** Fetches what a pull left at the source because no scan was wanted then. */
  complete(attempt: Attempt): Promise<void>;
  scan(request: ScanRequest): Promise<ScanReport>;
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
  await ports.complete(attempt);
  const { timeoutSeconds } = policy;
  return { kind: 'scanned', report: await ports.scan({ jobId, digest, timeoutSeconds, signal }), policy };
}
