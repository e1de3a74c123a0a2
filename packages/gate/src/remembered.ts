/**
 * A value that is loaded once and dropped by changes. The answer of a query that began before a
 * change is not kept, and nothing is kept while changes may be lost.
 */
export interface Remembered<T> {
  (): Promise<T>;
  forget(): void;
}

export function remembered<T>(load: () => Promise<T>, live: () => boolean): Remembered<T> {
  let known: Promise<T> | null = null;

  function recall(): Promise<T> {
    if (!live()) return load();
    if (known) return known;
    const loading = load();
    known = loading;
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
