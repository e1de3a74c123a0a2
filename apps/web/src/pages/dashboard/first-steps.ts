/** The first steps on an empty installation, and how far each is. */
import type { DashboardStats, DependencyHealth } from '@portcullis/contract';
import { JOB_STATUSES, type JobStatus } from '@portcullis/domain';

type Scanner = DependencyHealth['dependencies']['scanner'];

export type StartScanner =
  | { is: 'ready' | 'off' | 'failed' }
  /** When a first scan is possible. */
  | { is: 'pending'; minutes: number };

/**
 * A download of the scanner and of its database takes two minutes on a line of 10 MB/s, the
 * database alone one, and a build of the scanner ten on two cores.
 */
const MINUTES: Readonly<Record<string, number>> = {
  SCANNER_PENDING: 2,
  SCANNER_BUILDING: 10,
  SCAN_DATABASE_MISSING: 1,
};

export function startScanner({ ok, code }: Pick<Scanner, 'ok' | 'code'>): StartScanner {
  if (code === 'SCANNER_DISABLED') return { is: 'off' };
  if (ok) return { is: 'ready' };
  const minutes = MINUTES[code ?? ''];
  return minutes === undefined ? { is: 'failed' } : { is: 'pending', minutes };
}

type Counted = Pick<DashboardStats, 'tags' | 'jobs'>;

/** Whether an image was never delivered: the page leads to the first one. */
export function isBeginning({ tags, jobs }: Counted): boolean {
  return tags === 0 && (jobs.by_status.pushed ?? 0) === 0;
}

/** Whether there is nothing that charts could show. */
export function isBlank(stats: Counted): boolean {
  return stats.tags === 0 && jobsIn(stats, JOB_STATUSES) === 0;
}

const SCANNED = ['staged', 'push_queued', 'pushing', 'pushed'] as const;
const UNDER_WAY = ['pull_queued', 'pulling', 'scan_queued', 'scanning'] as const;

export type StepState = 'open' | 'waiting' | 'done';

/** Of the pull of a first image. */
export function firstPull(stats: Pick<Counted, 'jobs'>): StepState {
  if (jobsIn(stats, SCANNED) > 0) return 'done';
  return jobsIn(stats, UNDER_WAY) > 0 ? 'waiting' : 'open';
}

function jobsIn({ jobs }: Pick<Counted, 'jobs'>, statuses: readonly JobStatus[]): number {
  return statuses.reduce((sum, status) => sum + (jobs.by_status[status] ?? 0), 0);
}
