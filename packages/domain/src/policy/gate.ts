/** Whether a verdict lets a push through. */
import { ALLOWED, type Decision, denied } from '../access/decision.ts';
import type { Principal } from '../access/principal.ts';
import { isRated, isTooOld, type JudgedJob, lastScanFailed, rejudge } from './stored-verdict.ts';
import { bypasses, mayOverride, scanWanted } from './verdict.ts';
import { RATED_VERDICTS, type ScanPolicy } from './vulnerability.ts';

export interface GateQuestion {
  job: JudgedJob;
  policy: ScanPolicy;
  principal: Pick<Principal, 'isAdmin' | 'canBypassVulnBlock'>;
  /** When the advisories were gathered that a scan would go by now; null where none can be made. */
  database: string | null;
  now: Date;
}

/**
 * Asked when a push is requested and again when it runs; nothing that the caller says plays a part.
 * The stored findings are judged under the policy of this moment, also where a later scan failed: then its own rule is
 * added, and the stricter answer wins.
 */
export function gate({ job, policy, principal, database, now }: GateQuestion): Decision {
  if (bypasses(principal)) return ALLOWED;
  const judged = rejudge(job, policy);
  const decision = decisionOn(judged, policy, principal);
  if (!decision.allowed || !restsOnOldDatabase(judged, { policy, database, now })) return decision;
  return denied(
    'DATABASE_TOO_OLD',
    `The vulnerability database is older than the policy accepts (${policy.maxDatabaseAgeDays} days).`,
  );
}

/** A newer database counts only where the push will be scanned with it first, and no scan has failed since. */
function restsOnOldDatabase(
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
      // Under fewer severities than the policy's, which was a privilege when it was judged: it has to be one now.
      return mayOverride(policy, overrides, principal);
    case 'blocked':
      return denied('VULN_BLOCKED', 'The scan found vulnerabilities of a blocking severity.');
    case 'skipped':
      // One that the policy now wants is missing; one switched off for the job needs the privilege now as it did then.
      return scanWanted(policy, overrides)
        ? denied('SCAN_REQUIRED', 'The image was never scanned; retry the job to scan it.')
        : mayOverride(policy, overrides, principal);
    case 'pending':
      return denied('SCAN_REQUIRED', 'The image has not been scanned yet.');
    case 'unscannable':
      // What was seen of it may hold findings that only the job's own list lets through.
      return policy.onError === 'allow'
        ? mayOverride(policy, overrides, principal)
        : denied('SCAN_REQUIRED', 'The scanner could not cover the whole image.');
    case 'error':
      if (policy.onError !== 'allow')
        return denied('SCAN_REQUIRED', 'The scan failed; retry the job to scan it again.');
      // What an earlier scan found doesn't block here, but perhaps only because of the job's own list.
      return vulnResult === null ? ALLOWED : mayOverride(policy, overrides, principal);
  }
}
