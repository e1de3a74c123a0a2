/**
 * At most one run every `everyMs`, the first so long after the first call, never two at once. What is over sooner isn't
 * worth a run; of what lasts, the last call is always followed by one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@portcullis/runtime';

export interface Throttled {
  call(): void;
  /** Waits for the run that is under way; calls that came after it began are dropped. */
  stop(): Promise<void>;
}

export function throttle(everyMs: number, log: Pick<Logger, 'warn'>, run: () => Promise<void>): Throttled {
  const stopped = new AbortController();
  let wanted = false;
  let loop: Promise<void> | null = null;

  async function drain(): Promise<void> {
    while (wanted && !stopped.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) break;
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
      stopped.abort();
      await loop;
    },
  };
}
