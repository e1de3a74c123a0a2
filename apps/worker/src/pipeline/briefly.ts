/**
 * The jobs of a batch ask the same of the store, many times a second: who the account is, what it may do, where the
 * registry is. Who asks while the answer is on its way shares it; and some answers are good for a moment longer, still
 * shorter than the second in which every change has to act.
 */
export const MOMENT_MS = 400;
const MAX_KEPT = 1_000;

export function briefly<T>(
  read: (key: string) => Promise<T>,
  forMs: number,
): (key?: string) => Promise<T> {
  const known = new Map<string, { until: number; answer: Promise<T> }>();
  return (key = '') => {
    const kept = known.get(key);
    if (kept && performance.now() < kept.until) return kept.answer;
    if (known.size >= MAX_KEPT) known.clear();
    const asked = { until: Number.POSITIVE_INFINITY, answer: read(key) };
    const begun = performance.now();
    known.set(key, asked);
    const goodFor = (ms: number) => {
      asked.until = begun + ms;
    };
    asked.answer.then(
      () => goodFor(forMs),
      () => goodFor(0),
    );
    return asked.answer;
  };
}
