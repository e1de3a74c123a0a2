/** Counts what became of the items of a bulk operation, and why some stayed as they are. */

const MOST_NAMED = 20;

export interface TallyCounts {
  done: number;
  refused: number;
  failed: number;
  /** The most frequent first, with some of the items. */
  reasons: { code: string; count: number; items: string[] }[];
}

export interface Tally {
  done(count: number): void;
  refuse(code: string, items: readonly string[]): void;
  fail(code: string, items: readonly string[]): void;
  counts(): TallyCounts;
}

export function createTally(): Tally {
  const sums = { done: 0, refused: 0, failed: 0 };
  const reasons = new Map<string, { count: number; items: string[] }>();

  function count(kind: 'refused' | 'failed', code: string, items: readonly string[]): void {
    if (items.length === 0) return;
    sums[kind] += items.length;
    const known = reasons.get(code) ?? { count: 0, items: [] };
    reasons.set(code, {
      count: known.count + items.length,
      items: [...known.items, ...items].slice(0, MOST_NAMED),
    });
  }

  return {
    done: (more) => {
      sums.done += more;
    },
    refuse: (code, items) => count('refused', code, items),
    fail: (code, items) => count('failed', code, items),
    counts: () => ({
      ...sums,
      reasons: [...reasons]
        .map(([code, reason]) => ({ code, ...reason }))
        .sort((a, b) => b.count - a.count),
    }),
  };
}
