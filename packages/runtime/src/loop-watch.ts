/**
 * Measures how long one piece of work holds the event loop: the CPU time of this thread between two
 * turns of a short timer. It is not the time on a clock, which also passes while a busy machine
 * runs other processes.
 */
import type { Metrics } from './metrics.ts';

export interface LoopWatch {
  /** In milliseconds of CPU, since the start, up to now. */
  longestHold(): number;
  stop(): void;
}

/** Work of up to this time between two turns is not a hold: it may be many short pieces. */
const TURN_MS = 10;
const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5];

export function watchLoop(metrics: Pick<Metrics, 'histogram' | 'gauge'>): LoopWatch {
  const holds = metrics.histogram(
    'event_loop_hold_seconds',
    'CPU time for which a piece of work held the event loop, above 10 milliseconds',
    { labels: [], buckets: BUCKETS },
  );
  let longest = 0;
  let before = process.threadCpuUsage();
  metrics.gauge('event_loop_longest_hold_seconds', 'The longest such time since the start', {
    labels: [],
    read: async () => [{ labels: {}, value: longest / 1000 }],
  });

  function turn(): void {
    const used = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    const ms = (used.user + used.system) / 1000 - TURN_MS;
    if (ms <= 0) return;
    holds.observe({}, ms / 1000);
    longest = Math.max(longest, ms);
  }

  const timer = setInterval(turn, TURN_MS);
  timer.unref();
  function longestHold(): number {
    turn();
    return longest;
  }

  return { longestHold, stop: () => clearInterval(timer) };
}
