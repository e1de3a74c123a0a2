/** How the jobs of a transfer ended, with those that the gate stopped apart from failed ones. */
import { isBlocked } from '../job/blocked-job.ts';
import type { JobStatus } from '../job/job-status.ts';
import { type JobCounts, OPEN_STATUSES } from './transfer.ts';

/** `open`: it runs, waits for its turn, or waits for a review. */
export type JobOutcome = 'pushed' | 'blocked' | 'failed' | 'cancelled' | 'open';

/** Each job counts once. */
type TransferOutcomes = Record<JobOutcome, number>;

interface CountedTransfer {
  counts: JobCounts;
  /** Jobs that the gate stopped; they are `staged` or `failed` among the counts. */
  blocked: number;
  /** Those of the blocked jobs that are `failed`. */
  refused: number;
}

export function transferOutcomes({ counts, blocked, refused }: CountedTransfer): TransferOutcomes {
  const of = (status: JobStatus) => counts[status] ?? 0;
  const moving = OPEN_STATUSES.reduce((sum, status) => sum + of(status), 0);
  return {
    pushed: of('pushed'),
    blocked,
    failed: of('failed') - refused,
    cancelled: of('cancelled'),
    open: moving + of('staged') - (blocked - refused),
  };
}

const FINAL = ['pushed', 'failed', 'cancelled'] as const satisfies JobStatus[];

export function jobOutcome(job: Parameters<typeof isBlocked>[0]): JobOutcome {
  if (isBlocked(job)) return 'blocked';
  return FINAL.find((status) => status === job.status) ?? 'open';
}
