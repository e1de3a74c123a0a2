/** The limit of open jobs per account in the shared queue. */
import { OPEN_STATUSES, type Principal } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { Store } from '@portcullis/store';

type Counted = Pick<Store['jobs'], 'countByStatus'>;

/**
 * Checks whether the account may add `more` jobs, counted in the transaction `within`;
 * administrators have no limit.
 * @throws conflict `JOBS_MANY`
 */
export type AssertJobs = (principal: Principal, more: number, within?: Counted) => Promise<void>;

export function createJobQuota(jobs: Counted, most: number): AssertJobs {
  return async ({ id, isAdmin }, more, within = jobs) => {
    if (isAdmin) return;
    const counts = await within.countByStatus({ ownerId: id });
    const open = OPEN_STATUSES.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
    if (open + more <= most) return;
    const message = `At most ${most} jobs of an account wait or run at once; ${open} of yours do.`;
    throw conflict('JOBS_MANY', message, { detail: { open, most } });
  };
}
