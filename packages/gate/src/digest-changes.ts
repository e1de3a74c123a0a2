/** Changes of digests: who waits for one is woken, without asking the database. */
interface ChangeNote {
  /** Whether one of the digests changed meanwhile. */
  has(digests: readonly string[]): boolean;
  end(): void;
}

export interface DigestChanges {
  /** Notes the changes from now on, until `end`. */
  note(): ChangeNote;
  /** Resolves at the next change of one of the digests, at the end of the time, or on abort. */
  wait(digests: readonly string[], options: { ms: number; signal: AbortSignal }): Promise<void>;
  /** Null: every digest may have changed. */
  changed(digests: readonly string[] | null): void;
}

export function createDigestChanges(): DigestChanges {
  const waiting = new Map<string, Set<() => void>>();
  const noting = new Set<(digests: readonly string[] | null) => void>();

  function enter(digest: string, wake: () => void): void {
    const all = waiting.get(digest) ?? new Set();
    all.add(wake);
    waiting.set(digest, all);
  }

  function drop(digest: string, wake: () => void): void {
    const all = waiting.get(digest);
    all?.delete(wake);
    if (all?.size === 0) waiting.delete(digest);
  }

  return {
    note() {
      const seen = new Set<string>();
      let isAny = false;
      const add = (digests: readonly string[] | null) => {
        if (!digests) isAny = true;
        else for (const digest of digests) seen.add(digest);
      };
      noting.add(add);
      return {
        has: (digests) => isAny || digests.some((digest) => seen.has(digest)),
        end: () => void noting.delete(add),
      };
    },
    wait: (digests, { ms, signal }) =>
      new Promise((resolve) => {
        function wake(): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          for (const digest of digests) drop(digest, wake);
          resolve();
        }
        const timer = setTimeout(wake, ms);
        signal.addEventListener('abort', wake);
        for (const digest of digests) enter(digest, wake);
        if (signal.aborted) wake();
      }),
    changed(digests) {
      for (const add of noting) add(digests);
      for (const digest of digests ?? [...waiting.keys()])
        for (const wake of [...(waiting.get(digest) ?? [])]) wake();
    },
  };
}
