/** Groups the jobs of a transfer by status. */
import type { JobStatus } from '@portcullis/domain';

const GROUPS = {
  done: ['pushed'],
  /** Waits for a review. */
  review: ['staged'],
  running: ['pulling', 'scanning', 'pushing'],
  waiting: ['pull_queued', 'scan_queued', 'push_queued'],
  failed: ['failed'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, readonly JobStatus[]>;
export type GroupName = keyof typeof GROUPS;

export type Grouped = Record<GroupName, number>;

export function groupCounts(
  counts: Partial<Record<JobStatus, number>>,
): Grouped & { total: number } {
  const of = (name: GroupName) =>
    GROUPS[name].reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  const groups = {
    done: of('done'),
    review: of('review'),
    running: of('running'),
    waiting: of('waiting'),
    failed: of('failed'),
    cancelled: of('cancelled'),
  };
  return { ...groups, total: Object.values(groups).reduce((sum, each) => sum + each, 0) };
}

const ORDER: readonly GroupName[] = ['failed', 'review', 'running', 'waiting', 'cancelled', 'done'];

function groupOf(status: JobStatus): GroupName {
  return ORDER.find((name) => GROUPS[name].some((each) => each === status)) ?? 'running';
}

/** Sorted by urgency: failed jobs first. */
export function byUrgency<T extends { status: JobStatus }>(jobs: readonly T[]): T[] {
  return jobs.toSorted(
    (a, b) => ORDER.indexOf(groupOf(a.status)) - ORDER.indexOf(groupOf(b.status)),
  );
}

/** Uploaded bytes, without blobs that the target had or mounted. */
export function bytesSent({
  done,
  reused,
  mounted,
}: {
  done: number;
  reused: number;
  mounted: number;
}): number {
  return Math.max(0, done - reused - mounted);
}
