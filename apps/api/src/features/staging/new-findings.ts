/**
 * Compares the findings of a job with the previous scan that the caller may read: the newest older
 * job of the same reference, an earlier scan of the job itself, or the newest older job of another
 * tag of the repository.
 */
import type { NewFindings } from '@portcullis/contract';
import {
  findingsUntil,
  newFindings,
  type Principal,
  type StagingJob,
  scanTimes,
  type Vulnerability,
} from '@portcullis/domain';
import type { Store } from '@portcullis/store';

interface PreviousScan {
  job: StagingJob;
  at: Date;
  findings: readonly Vulnerability[];
}

const NOTHING: NewFindings = { previous: null, vulnerabilities: [] };

export function createNewFindings({ jobs, reports }: Pick<Store, 'jobs' | 'reports'>) {
  async function list({ id, isAdmin }: Principal, job: StagingJob): Promise<NewFindings> {
    const present = job.vulnResult?.vulnerabilities ?? [];
    const ownerId = isAdmin ? null : id;
    const previous =
      scanOf(await jobs.previousScanned(job, ownerId)) ??
      (await earlierScan(job, present)) ??
      scanOf(await jobs.previousTagScanned(job, ownerId));
    if (!previous) return NOTHING;
    return {
      previous: {
        job_id: previous.job.id,
        tag: previous.job.tag,
        digest: previous.job.digest,
        scanned_at: previous.at.toISOString(),
      },
      vulnerabilities: newFindings(previous.findings, present),
    };
  }

  /** A new scan replaces the findings of a job, but their dates are kept with the digest. */
  async function earlierScan(
    job: StagingJob,
    findings: readonly Vulnerability[],
  ): Promise<PreviousScan | null> {
    const at = scanTimes(job.timeline).at(-2);
    if (!at || job.digest === null) return null;
    const firstSeen = await reports.firstSeen(job.digest);
    return { job, at, findings: findingsUntil(findings, firstSeen, at) };
  }

  return { list };
}
export type NewFindingsService = ReturnType<typeof createNewFindings>;

function scanOf(job: StagingJob | null): PreviousScan | null {
  if (!job) return null;
  const at = scanTimes(job.timeline).at(-1) ?? job.updatedAt;
  return { job, at, findings: job.vulnResult?.vulnerabilities ?? [] };
}
