/** The decision about a push with every step that led to it, and its one sentence. */
import {
  codeOfRefusal,
  firstEnd,
  type JudgedJob,
  NOT_VERIFIED_TEXT,
  type Push,
  type PushDecision,
  type PushedScan,
  type PushRefusal,
  type ScanPolicy,
  type ScanReport,
  type StagingJob,
  scanOfJob,
  scanWanted,
  unsignedText,
} from '@portcullis/domain';
import { explainStanding } from './explanation.ts';
import { oneLine, tooYoung, vulnerabilities } from './refusal-line.ts';

/** Where a push writes to. */
export interface PushTarget extends Pick<Push, 'registryId' | 'repository'> {
  /** Null outside the local registry. */
  folder: string | null;
  /** Its jobs are made by pulls: who reads the reason has none to retry. */
  isMirror?: boolean;
}

export type GatedJob = JudgedJob & Pick<StagingJob, 'digest'>;

/** An image at the gate: that of a job, or one that a plan knows by its digest. */
export interface GatedScan extends PushedScan {
  digest: string | null;
  /** What wrote the report; null where there is none. */
  scanner: ScanReport['scanner'] | null;
}

export function gatedScan(job: GatedJob): GatedScan {
  return { ...scanOfJob(job), digest: job.digest, scanner: job.vulnResult?.scanner ?? null };
}

export type PushExplanation = ReturnType<typeof explainPush>;

export function explainPush(
  { allowed, refusal, standing, waitsUntil, signed, policy }: PushDecision,
  { scan, target }: { scan: GatedScan; target: PushTarget },
) {
  const { digest, scanner } = scan;
  const passes = allowed && refusal === null;
  return {
    outcome: allowed ? ('allowed' as const) : ('refused' as const),
    because: passes ? ('passes' as const) : allowed ? ('bypass' as const) : null,
    code: refusal && codeOfRefusal(refusal),
    digest,
    registry: target.registryId,
    folder: target.folder,
    repository: target.repository,
    ...explainStanding(standing, policy, { waitsUntil, signed }),
    report: scanner
      ? {
          scanner: scanner.name,
          scanner_version: scanner.version,
          database_at: scanner.dbUpdatedAt,
        }
      : null,
    last_scan_failed: scan.lastScanFailed,
    valid_until: standing?.validUntil?.toISOString() ?? null,
    waived_until: passes && standing ? (firstEnd(standing)?.toISOString() ?? null) : null,
  };
}

/** Whether a retry of the job scans the image, so that the gate decides anew. */
export function scansAtRetry(
  { refusal }: Pick<PushDecision, 'refusal'>,
  { scan, settings }: { scan: GatedScan; settings: ScanPolicy },
): boolean {
  if (refusal === 'scan_failed') return true;
  return refusal === 'never_scanned' && scanWanted(settings, scan.overrides);
}

export function refusalSentence(
  decided: PushDecision,
  judged: { scan: GatedScan; settings: ScanPolicy; target: Pick<PushTarget, 'isMirror'> },
): string {
  const { refusal, standing, waitsUntil, signed, policy } = decided;
  const retry = (what: string) => (judged.target.isMirror ? '' : `; retry the job to ${what}`);
  const reasons: Record<PushRefusal, () => string> = {
    findings: () =>
      standing && standing.blocking.length > 0
        ? vulnerabilities(standing.blocking)
        : 'the scan found vulnerabilities of a blocking severity',
    never_scanned: () =>
      scansAtRetry(decided, judged)
        ? `the image was never scanned${retry('scan it')}`
        : 'the image was not scanned; pull it again with a scan',
    not_scanned_yet: () => 'the image has not been scanned yet',
    not_covered: () => 'the scanner could not cover the whole image',
    scan_failed: () => `the scan failed${retry('scan it again')}`,
    database_age: () =>
      `the vulnerability database is older than it accepts (${policy.maxDatabaseAgeDays} days)`,
    override: () => 'relaxing it for one image needs can_bypass_vuln_block',
    artifact: () => 'artifacts that are no container images are not allowed',
    unsigned: () => unsignedText(signed),
    not_verified: () => NOT_VERIFIED_TEXT,
    too_young: () => tooYoung(waitsUntil),
  };
  const reason = refusal === null ? '' : reasons[refusal]();
  return oneLine(`Blocked by policy "${policy.name}": ${reason}.`);
}
