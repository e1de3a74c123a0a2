/** Groups the jobs of a transfer by status, and those that the gate stopped. */
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
type StatusGroup = keyof typeof GROUPS;
export type GroupName = StatusGroup | 'blocked';

type Grouped = Record<GroupName, number>;

export interface CountedJobs {
  counts: Partial<Record<JobStatus, number>>;
  /** They are `failed` or `staged` among the counts. */
  blocked: number;
}

export function groupCounts({ counts, blocked }: CountedJobs): Grouped & { total: number } {
  const of = (name: StatusGroup) =>
    GROUPS[name].reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  const refused = Math.min(blocked, of('failed'));
  const groups = {
    done: of('done'),
    blocked,
    review: of('review') - (blocked - refused),
    running: of('running'),
    waiting: of('waiting'),
    failed: of('failed') - refused,
    cancelled: of('cancelled'),
  };
  return { ...groups, total: Object.values(groups).reduce((sum, each) => sum + each, 0) };
}

const ORDER: readonly GroupName[] = [
  'failed',
  'blocked',
  'review',
  'running',
  'waiting',
  'cancelled',
  'done',
];
const STATUS_GROUPS = Object.keys(GROUPS) as StatusGroup[];

interface GroupedJob {
  status: JobStatus;
  blocked: boolean;
}

function groupOf({ status, blocked }: GroupedJob): GroupName {
  if (blocked) return 'blocked';
  return STATUS_GROUPS.find((name) => GROUPS[name].some((each) => each === status)) ?? 'running';
}

/** The place by urgency: failed jobs are first, then those that the gate stopped. */
export function urgencyOf(job: GroupedJob): number {
  return ORDER.indexOf(groupOf(job));
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
