/** Counts what became of the jobs of a bulk operation. */
import type { JobBulkResult } from '@portcullis/contract';

const MOST_NAMED = 20;

export interface Tally {
  done(count: number): void;
  refuse(code: string, ids: readonly string[]): void;
  fail(code: string, ids: readonly string[]): void;
  counts(): JobBulkResult;
}

export function createTally(): Tally {
  const sums = { done: 0, refused: 0, failed: 0 };
  const reasons = new Map<string, { count: number; job_ids: string[] }>();

  function count(kind: 'refused' | 'failed', code: string, ids: readonly string[]): void {
    if (ids.length === 0) return;
    sums[kind] += ids.length;
    const known = reasons.get(code) ?? { count: 0, job_ids: [] };
    reasons.set(code, {
      count: known.count + ids.length,
      job_ids: [...known.job_ids, ...ids].slice(0, MOST_NAMED),
    });
  }

  return {
    done: (more) => {
      sums.done += more;
    },
    refuse: (code, ids) => count('refused', code, ids),
    fail: (code, ids) => count('failed', code, ids),
    counts: () => ({
      ...sums,
      reasons: [...reasons]
        .map(([code, reason]) => ({ code, ...reason }))
        .sort((a, b) => b.count - a.count),
    }),
  };
}
