/**
 * A value that is loaded once and dropped by changes, and after a minute. The answer of a query
 * that began before a change is not kept, and nothing is kept while changes may be lost.
 */
export interface Remembered<T> {
  (): Promise<T>;
  forget(): void;
}

const LONGEST_MS = 60_000;

export function remembered<T>(load: () => Promise<T>, live: () => boolean): Remembered<T> {
  let known: Promise<T> | null = null;
  let until = 0;

  function recall(): Promise<T> {
    if (!live()) return load();
    if (known && performance.now() < until) return known;
    const loading = load();
    known = loading;
    until = performance.now() + LONGEST_MS;
    loading.catch(() => {
      if (known === loading) known = null;
    });
    return loading;
  }

  return Object.assign(recall, {
    forget() {
      known = null;
    },
  });
}
