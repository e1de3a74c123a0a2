/** Renews the lease of a row while it is worked on. */

const RENEW_MS = 3_000;

/** Aborts when another worker took the row. What can't be renewed for want of a database isn't lost yet. */
export function keepLease(renew: () => Promise<boolean>): { lost: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const timer = setInterval(() => {
    renew().then(
      (held) => {
        if (!held) lost.abort();
      },
      () => {},
    );
  }, RENEW_MS);
  return { lost: lost.signal, stop: () => clearInterval(timer) };
}
