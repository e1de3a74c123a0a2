/** Exit codes, so that a pipeline can act on them without reading the output. */
import type { GateDecision, Job, TransferView } from '@portcullis/contract';

export const EXIT = {
  ok: 0,
  failed: 1,
  /** Also for options that do not exist. */
  usage: 2,
  /** A policy blocks the image. */
  blocked: 3,
  /** No complete scan says whether it passes. */
  unscanned: 4,
} as const;

type JudgedJob = Pick<Job, 'status' | 'verdict' | 'blocked' | 'destination' | 'standing'>;

/** Of a job that is settled. */
export function exitCodeOfJob(job: JudgedJob): number {
  const { status, verdict, blocked, destination, standing } = job;
  // For a chosen destination, its policy decides.
  if (destination && standing && status !== 'failed') return exitCodeOfStanding(standing);
  if (blocked) return EXIT.blocked;
  if (verdict === 'error') return EXIT.unscanned;
  if (status === 'failed' || status === 'cancelled') return EXIT.failed;
  return UNKNOWN_VERDICTS.has(verdict) ? EXIT.unscanned : EXIT.ok;
}

function exitCodeOfStanding({ state, code, caveat }: NonNullable<JudgedJob['standing']>): number {
  if (state === 'waits' || code === 'SCAN_REQUIRED') return EXIT.unscanned;
  if (state === 'blocked') return EXIT.blocked;
  return caveat === 'not_covered' || caveat === 'scan_failed' ? EXIT.unscanned : EXIT.ok;
}

const UNKNOWN_VERDICTS: ReadonlySet<Job['verdict']> = new Set(['pending', 'unscannable']);

type JudgedImage = Pick<
  GateDecision,
  'code' | 'verdict' | 'kind' | 'report' | 'last_scan_failed' | 'mode'
>;

/** By the policy alone: neither the mode of the folder nor the rights of the account matter. */
export function exitCodeOfImage(decision: JudgedImage): number {
  const { code, verdict } = decision;
  if (verdict === 'blocked' || (code !== null && BLOCKING.has(code))) return EXIT.blocked;
  return code !== null || isUnknown(decision) ? EXIT.unscanned : EXIT.ok;
}

const BLOCKING: ReadonlySet<GateDecision['code']> = new Set([
  'VULN_BLOCKED',
  'DATABASE_TOO_OLD',
  'ARTIFACT_BLOCKED',
  'SIGNATURE_MISSING',
  'SIGNATURES_NOT_VERIFIED',
  'TOO_YOUNG',
]);

/** A folder whose gate is off decides nothing: only the report is known. */
function isUnknown({ mode, kind, report, verdict }: JudgedImage): boolean {
  return mode === 'off' && kind === 'image' && (report === null || verdict === 'unscannable');
}

/** Whether a scan may still say more. */
export function isPending({ code, kind, report, last_scan_failed: failed }: JudgedImage): boolean {
  return code === 'PENDING' || (kind === 'image' && report === null && !failed);
}

/** Of a transfer that has ended. */
export function exitCodeOfTransfer({
  status,
  outcomes,
}: Pick<TransferView, 'status' | 'outcomes'>): number {
  if (outcomes.blocked > 0) return EXIT.blocked;
  return status === 'done' ? EXIT.ok : EXIT.failed;
}
