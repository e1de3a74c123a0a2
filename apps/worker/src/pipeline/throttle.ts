/**
 * At most one run every `everyMs`, the first so long after the first call, never two at once. What is over sooner isn't
 * worth a run; of what lasts, the last call is always followed by one.
 */
import type { Logger } from '@portcullis/runtime';

export interface Throttled {
  call(): void;
  /** Waits for the run that is under way; calls that came after it began are dropped. */
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

  /** Not by a signal: the error of an abort costs more than most of what is throttled here. */
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
