/**
 * Runs a function at most once every `everyMs`, first one interval after the first call, and never
 * twice at once. The last call is always followed by a run.
 */
import type { Logger } from '@portcullis/runtime';

export interface Throttled {
  call(): void;
  /** Waits for the current run. Calls since its begin are dropped. */
  stop(): Promise<void>;
}

export function throttle(
  everyMs: number,
  log: Pick<Logger, 'warn'>,
  run: () => Promise<void>,
): Throttled {
  let stopped = false;
  let wake = () => {};
  let wanted = false;
  let loop: Promise<void> | null = null;

  /** Without an AbortSignal: creating its error costs more than most throttled runs. */
  async function pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, everyMs);
    wake = resolve;
    await promise;
    clearTimeout(timer);
  }

  async function drain(): Promise<void> {
    while (wanted && !stopped) {
      await pause();
      if (stopped) break;
      wanted = false;
      await run().catch((error: unknown) => log.warn({ err: error }, 'progress was not written'));
    }
    loop = null;
  }

  return {
    call() {
      wanted = true;
      loop ??= drain();
    },
    async stop() {
      stopped = true;
      wake();
      await loop;
    },
  };
}
