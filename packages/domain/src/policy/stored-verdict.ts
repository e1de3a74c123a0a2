/**
 * Stored verdicts over time: under the current policy, beside the current vulnerability database,
 * and within the age that the policy allows a database.
 */
import type { StagingJob } from '../job/staging-job.ts';
import type { TimelineEntry } from '../job/timeline.ts';
import { judge, verdictAfterFailure } from './verdict.ts';
import { RATED_VERDICTS, type ScanPolicy, type VulnResult } from './vulnerability.ts';

const DAY_MS = 86_400_000;

/** The fields of a job that its verdict depends on. */
export type JudgedJob = Pick<StagingJob, 'verdict' | 'overrides' | 'vulnResult' | 'sightedAt'>;

/** Whether the verdict follows from findings, so that another policy may change it. */
export function isRated({ verdict, vulnResult }: JudgedJob): boolean {
  if (vulnResult === null) return false;
  return verdict === 'error' || RATED_VERDICTS.some((each) => each === verdict);
}

/** Whether the newest scan failed, so that the findings are of an earlier one. */
export function lastScanFailed({
  verdict,
  vulnResult,
}: Pick<JudgedJob, 'verdict' | 'vulnResult'>): boolean {
  return verdict === 'error' || vulnResult?.laterScanFailedAt !== undefined;
}

/** The stored findings under the given policy; the same object where nothing changes. */
export function rejudge<T extends JudgedJob>(job: T, policy: ScanPolicy): T {
  const { vulnResult } = job;
  if (vulnResult === null || !isRated(job)) return job;
  const { verdict: known, result: judged } = judge(vulnResult, policy, job.overrides);
  const { laterScanFailedAt } = vulnResult;
  const result = laterScanFailedAt === undefined ? judged : { ...judged, laterScanFailedAt };
  const verdict = lastScanFailed(job) ? verdictAfterFailure(known) : known;
  return verdict === job.verdict && isSame(result, vulnResult)
    ? job
    : { ...job, verdict, vulnResult: result };
}

/** `rejudge` for a stored job: records a changed verdict in the timeline. */
export function applyPolicy(job: StagingJob, policy: ScanPolicy, now: Date): StagingJob {
  const judged = rejudge(job, policy);
  if (judged === job) return job;
  const entry: TimelineEntry = { at: now, status: job.status, kind: 'policy_changed' };
  const timeline = judged.verdict === job.verdict ? job.timeline : [...job.timeline, entry];
  return { ...judged, timeline, updatedAt: now };
}

function isSame(one: VulnResult, other: VulnResult): boolean {
  return ruleOf(one) === ruleOf(other);
}

function ruleOf({ blocked, severities, blocking }: VulnResult): string {
  return JSON.stringify([blocked, severities, blocking]);
}

/** Whether a scan with `database` could have another result. Null: no scan can run. */
export function isOutdated(
  { vulnResult }: Pick<JudgedJob, 'vulnResult'>,
  database: string | null,
): boolean {
  if (vulnResult === null || database === null) return false;
  // A report without a database time compares as NaN and counts as outdated.
  return !(databaseTime(vulnResult) >= Date.parse(database));
}

/**
 * Whether the newest database behind the verdict, or behind the scan before the push, is too old.
 */
export function isTooOld(
  databaseAt: string | null,
  { maxDatabaseAgeDays }: Pick<ScanPolicy, 'maxDatabaseAgeDays'>,
  { database, now }: { database: string | null; now: Date },
): boolean {
  if (maxDatabaseAgeDays === null) return false;
  const known = [databaseAt, database]
    .map((time) => Date.parse(time ?? ''))
    .filter((time) => !Number.isNaN(time));
  return !(now.getTime() - Math.max(...known) <= maxDatabaseAgeDays * DAY_MS);
}

/** Build time of the report's database; NaN where the report doesn't state it. */
function databaseTime(result: Pick<VulnResult, 'scanner'> | null): number {
  return Date.parse(result?.scanner.dbUpdatedAt ?? '');
}
