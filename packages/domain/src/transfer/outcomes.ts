/** How the jobs of a transfer ended, with those that the gate stopped apart from failed ones. */
import type { JobStatus } from '../job/job-status.ts';
import { type JobCounts, OPEN_STATUSES } from './transfer.ts';

/** Each job counts once. `open`: it runs, waits for its turn, or waits for a review. */
interface TransferOutcomes {
  pushed: number;
  blocked: number;
  failed: number;
  cancelled: number;
  open: number;
}

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
