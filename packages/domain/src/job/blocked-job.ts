/** Whether the gate stopped a job, as opposed to a job that failed. */
import type { DenialCode } from '../access/decision.ts';
import type { JobStatus } from './job-status.ts';
import type { StagingJob } from './staging-job.ts';

/** The refusals of the gate; another policy, a waiver or a newer image opens it. */
export const GATE_CODES = [
  'VULN_BLOCKED',
  'SCAN_REQUIRED',
  'DATABASE_TOO_OLD',
  'OVERRIDE_FORBIDDEN',
  'ARTIFACT_BLOCKED',
  'SIGNATURE_MISSING',
  'SIGNATURES_NOT_VERIFIED',
  'TOO_YOUNG',
] as const satisfies DenialCode[];
export type GateCode = (typeof GATE_CODES)[number];

type Stopped = Pick<StagingJob, 'verdict'> & {
  status: JobStatus;
  error: Pick<NonNullable<StagingJob['error']>, 'code'> | null;
};

/** A push that the gate refused, or an image that waits for a review with a blocking verdict. */
export function isBlocked({ status, error, verdict }: Stopped): boolean {
  if (status === 'staged') return verdict === 'blocked';
  return status === 'failed' && GATE_CODES.some((code) => code === error?.code);
}
