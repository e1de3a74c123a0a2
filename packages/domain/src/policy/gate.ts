/** The gate: whether a verdict allows a push. */
import { ALLOWED, type Decision, denied } from '../access/decision.ts';
import type { Principal } from '../access/principal.ts';
import { isRated, isTooOld, type JudgedJob, lastScanFailed, rejudge } from './stored-verdict.ts';
import { bypasses, mayOverride, scanWanted } from './verdict.ts';
import { RATED_VERDICTS, type ScanPolicy } from './vulnerability.ts';

export interface GateQuestion {
  job: JudgedJob;
  policy: ScanPolicy;
  principal: Pick<Principal, 'isAdmin' | 'canBypassVulnBlock'>;
  /**
   * Build time of the vulnerability database that a scan would use now; null where no scan can run.
   */
  database: string | null;
  now: Date;
}

/**
 * Checked when a push is requested and again when it runs. Stored findings are judged under the
 * current policy, also after a later scan failed: then the rule for failed scans applies as well,
 * and the stricter answer wins.
 */
export function gate({ job, policy, principal, database, now }: GateQuestion): Decision {
  if (bypasses(principal)) return ALLOWED;
  const judged = rejudge(job, policy);
  const decision = decisionOn(judged, policy, principal);
  if (!decision.allowed || !usesOldDatabase(judged, { policy, database, now })) return decision;
  return denied(
    'DATABASE_TOO_OLD',
    `The vulnerability database is older than the policy accepts (${policy.maxDatabaseAgeDays} days).`,
  );
}

/**
 * The code that would refuse this push without the privilege to push blocked images; null where the
 * privilege changes nothing.
 */
export function bypassedBy(question: GateQuestion): string | null {
  if (!gate(question).allowed) return null;
  const decision = gate({ ...question, principal: UNPRIVILEGED });
  return decision.allowed ? null : decision.code;
}

const UNPRIVILEGED = { isAdmin: false, canBypassVulnBlock: false };

/** A newer database counts only if the image will be scanned with it before the push. */
function usesOldDatabase(
  job: JudgedJob,
  { policy, database, now }: Pick<GateQuestion, 'policy' | 'database' | 'now'>,
): boolean {
  const rests = isRated(job) || RATED_VERDICTS.some((verdict) => verdict === job.verdict);
  const next = scanWanted(policy, job.overrides) && !lastScanFailed(job) ? database : null;
  return rests && isTooOld(job, policy, { database: next, now });
}

function decisionOn(
  { verdict, overrides, vulnResult }: JudgedJob,
  policy: ScanPolicy,
  principal: GateQuestion['principal'],
): Decision {
  switch (verdict) {
    case 'clean':
      return ALLOWED;
    case 'findings':
      // The job's severity list is shorter than the policy's: that privilege is checked again now.
      return mayOverride(policy, overrides, principal);
    case 'blocked':
      return denied('VULN_BLOCKED', 'The scan found vulnerabilities of a blocking severity.');
    case 'skipped':
      // Either the policy wants a scan now, or the job switched it off, which needs the privilege
      // now.
      return scanWanted(policy, overrides)
        ? denied('SCAN_REQUIRED', 'The image was never scanned; retry the job to scan it.')
        : mayOverride(policy, overrides, principal);
    case 'pending':
      return denied('SCAN_REQUIRED', 'The image has not been scanned yet.');
    case 'unscannable':
      // The covered part may have findings that only the job's own severity list allows.
      return policy.onError === 'allow'
        ? mayOverride(policy, overrides, principal)
        : denied('SCAN_REQUIRED', 'The scanner could not cover the whole image.');
    case 'error':
      if (policy.onError !== 'allow')
        return denied('SCAN_REQUIRED', 'The scan failed; retry the job to scan it again.');
      // The earlier findings don't block, but perhaps only because of the job's own severity list.
      return vulnResult === null ? ALLOWED : mayOverride(policy, overrides, principal);
  }
}
