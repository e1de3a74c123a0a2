/**
 * Preemption rule for running slots. The queue serves waiting accounts in turn; this rule keeps
 * running jobs of one account from holding all slots of a worker while another account waits.
 */

export interface RunningJob {
  id: string;
  ownerId: string;
  /** Milliseconds since it took its slot. */
  forMs: number;
  /** Average of the last seconds. */
  bytesPerSecond: number;
}

export interface PreemptionRule {
  /** No job is preempted earlier, because short jobs end by themselves. */
  minRunMs: number;
  /** A job below this rate is slow. */
  slowBytesPerSecond: number;
  /** Whether a preempted job keeps what it has transferred. */
  resumes: boolean;
}

/**
 * The job to preempt, if any. A slot moves from an account with more running jobs to the waiting
 * account with the fewest. A slow job yields where the waiting account would not have more slots
 * afterwards; a fast job only where its account keeps at least as many. Equal shares are left
 * alone, so that jobs are not preempted back and forth.
 * @param waiting owners of the waiting jobs
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
