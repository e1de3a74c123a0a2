/**
 * Fair use of running places. The queue gives waiting accounts turns; this rule sees to it that what runs already can't
 * hold all places of a worker while another account waits: one of its jobs is handed back to the queue.
 */

export interface RunningJob {
  id: string;
  ownerId: string;
  /** Since it took its place. */
  forMs: number;
  /** Lately. */
  bytesPerSecond: number;
}

export interface PreemptionRule {
  /** Nothing is handed back sooner: what is short ends by itself. */
  minRunMs: number;
  /** Below this, a job holds its place for little. */
  slowBytesPerSecond: number;
  /** Whether what was moved so far is kept, so that a fast job loses nothing by giving way. */
  resumes: boolean;
}

/**
 * The job that gives up its place, if any. A place goes from an account with more running jobs to the waiting account
 * with the fewest: a slow job gives way to any account that would not have more than its own afterwards, a fast one only
 * where that leaves its account with as many. Equal shares are left alone, so that nothing goes back and forth.
 * @param waiting owners of the waiting jobs.
 */
export function jobToPreempt(
  running: readonly RunningJob[],
  waiting: readonly string[],
  rule: PreemptionRule,
): RunningJob | null {
  const shares = new Map<string, number>();
  for (const { ownerId } of running) shares.set(ownerId, shareOf(shares, ownerId) + 1);
  const needy = Math.min(...waiting.map((ownerId) => shareOf(shares, ownerId)));
  const isSlow = (bytesPerSecond: number) => bytesPerSecond < rule.slowBytesPerSecond;
  const givesUp = ({ ownerId, forMs, bytesPerSecond }: RunningJob) => {
    if (forMs < rule.minRunMs) return false;
    const surplus = shareOf(shares, ownerId) - needy;
    return surplus >= 2
      ? rule.resumes || isSlow(bytesPerSecond)
      : surplus === 1 && isSlow(bytesPerSecond);
  };
  const [first] = running
    .filter(givesUp)
    .sort(
      (one, other) =>
        shareOf(shares, other.ownerId) - shareOf(shares, one.ownerId) ||
        one.bytesPerSecond - other.bytesPerSecond,
    );
  return first ?? null;
}

function shareOf(shares: ReadonlyMap<string, number>, ownerId: string): number {
  return shares.get(ownerId) ?? 0;
}
