/** Figures of runs in turn: medians, ratios, and their cells in a table. */
import { type Aim, marked } from './aims.ts';

/** Of one run. */
export interface Cost {
  seconds: number;
  cpu: number;
  /** Peak of the resident memory. */
  mib: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The ratios of neighbouring runs: other ÷ ours, so above 1 we are faster. */
export function ratios(ours: readonly number[], others: readonly number[]): number[] {
  return ours.map((value, nth) => (others[nth] ?? 0) / value);
}

const secondsOf = (costs: readonly Cost[]) => costs.map(({ seconds }) => seconds);

/** `1.41 s (1.38–1.52), 1.16 s CPU, 74 MiB` */
export function summary(costs: readonly Cost[]): string {
  const seconds = secondsOf(costs);
  const [low, high] = [Math.min(...seconds).toFixed(2), Math.max(...seconds).toFixed(2)];
  const cpu = median(costs.map((each) => each.cpu)).toFixed(2);
  const mib = median(costs.map((each) => each.mib)).toFixed(0);
  return `${median(seconds).toFixed(2)} s (${low}–${high}), ${cpu} s CPU, ${mib} MiB`;
}

export interface Row {
  /** Ours, then each peer in the order given. */
  cells: string[];
  /** Against the fastest peer. */
  least: number;
}

/** A peer's cell ends with its time ÷ ours, marked where it is below the aim. */
export function compareRow(aim: Aim, ours: readonly Cost[], peers: readonly Cost[][]): Row {
  const factors = peers.map((peer) => median(ratios(secondsOf(ours), secondsOf(peer))));
  const cells = peers.map((peer, nth) => `${summary(peer)}: **${marked(aim, factors[nth] ?? 0)}**`);
  return { cells: [summary(ours), ...cells], least: Math.min(...factors) };
}
