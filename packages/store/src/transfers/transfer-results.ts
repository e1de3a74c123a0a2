/** Reads the jobs of a transfer without their timelines and scan results, by image and tag. */
import type { JobOutcome } from '@portcullis/domain';
import type { Database } from '../database.ts';
import { isId, run } from '../database.ts';
import type { StagingJobWhereInput } from '../generated/models.ts';
import { storedPushes } from '../jobs/job-row.ts';
import { BLOCKED, UNBLOCKED } from '../jobs/list/job-list.ts';
import type { TransferredJob, TransferredJobs } from './records.ts';

const SELECTED = {
  id: true,
  image: true,
  tag: true,
  source: true,
  digest: true,
  status: true,
  verdict: true,
  error: true,
  pushes: true,
} as const;

const IN_ORDER = [{ image: 'asc' }, { tag: 'asc' }, { id: 'asc' }] as const;

export async function transferredJobs(
  db: Database,
  transferId: string,
  { outcome, after, limit }: TransferredJobs,
): Promise<TransferredJob[]> {
  if (!isId(transferId)) return [];
  const rows = await run(() =>
    db.stagingJob.findMany({
      where: { AND: [{ transferId }, outcome ? WITH_OUTCOME[outcome] : {}, following(after)] },
      select: SELECTED,
      orderBy: [...IN_ORDER],
      take: limit,
    }),
  );
  return rows.map((row) => ({
    ...row,
    // Contains what `toColumns` wrote.
    source: row.source as unknown as TransferredJob['source'],
    status: row.status as TransferredJob['status'],
    verdict: row.verdict as TransferredJob['verdict'],
    error: row.error as unknown as TransferredJob['error'],
    pushes: storedPushes(row.pushes),
  }));
}

/** The conditions of the domain's `jobOutcome`. */
const WITH_OUTCOME: Record<Exclude<JobOutcome, 'open'>, StagingJobWhereInput> = {
  pushed: { status: 'pushed' },
  blocked: BLOCKED,
  failed: { AND: [{ status: 'failed' }, UNBLOCKED] },
  cancelled: { status: 'cancelled' },
};

function following(after: TransferredJobs['after']): StagingJobWhereInput {
  if (!after) return {};
  const { image, tag, id } = after;
  return {
    OR: [{ image: { gt: image } }, { image, tag: { gt: tag } }, { image, tag, id: { gt: id } }],
  };
}
