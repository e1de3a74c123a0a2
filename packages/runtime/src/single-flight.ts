/**
 * Single flight with a short memory: callers that ask for the same key while it is being read share
 * one read, and an answer may be reused for `reuseMs` after the read began. A failure is not kept.
 */
const MAX_KEYS = 1_000;

export function singleFlight<T>(
  read: (key: string) => Promise<T>,
  { reuseMs = 0 }: { reuseMs?: number } = {},
): (key?: string) => Promise<T> {
  const reads = new Map<string, { until: number; answer: Promise<T> }>();
  return (key = '') => {
    const known = reads.get(key);
    if (known && performance.now() < known.until) return known.answer;
    if (reads.size >= MAX_KEYS) reads.clear();
    const began = performance.now();
    const flight = { until: Number.POSITIVE_INFINITY, answer: read(key) };
    reads.set(key, flight);
    const forget = () => reads.get(key) === flight && reads.delete(key);
    flight.answer.then(() => {
      flight.until = began + reuseMs;
      if (reuseMs === 0) forget();
    }, forget);
    return flight.answer;
  };
}
