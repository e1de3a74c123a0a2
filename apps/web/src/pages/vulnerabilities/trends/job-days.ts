import type { DashboardStats } from '@portcullis/contract';

type Days = DashboardStats['jobs']['per_day'];

export interface JobDay {
  day: string;
  total: number;
  pushed: number;
  blocked: number;
  failed: number;
  /** The rest. A job that was blocked and then pushed counts once, as pushed. */
  other: number;
}

export function jobDays(days: Days): JobDay[] {
  return days.map(({ day, total, pushed, failed, blocked }) => {
    const stopped = Math.max(0, Math.min(blocked, total - pushed - failed));
    return {
      day,
      total,
      pushed,
      failed,
      blocked: stopped,
      other: Math.max(0, total - pushed - failed - stopped),
    };
  });
}

export function jobTotals(days: readonly JobDay[]): Omit<JobDay, 'day'> {
  const sum = (of: (day: JobDay) => number) => days.reduce((all, day) => all + of(day), 0);
  return {
    total: sum(({ total }) => total),
    pushed: sum(({ pushed }) => pushed),
    blocked: sum(({ blocked }) => blocked),
    failed: sum(({ failed }) => failed),
    other: sum(({ other }) => other),
  };
}
