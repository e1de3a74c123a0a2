/**
 * Keeps which images clusters start. Nothing waits for it: what was answered is gathered in memory,
 * and written soon, many at once.
 */
import type { StartedImage } from '@portcullis/domain/admission';
import type { Logger } from '@portcullis/runtime';
import { LRUCache } from 'lru-cache';

export interface RunningNotesPorts {
  keep(started: StartedImage[]): Promise<{ left: number }>;
  log: Pick<Logger, 'warn'>;
  soonMs?: number;
  /** After a failure. */
  pauseMs?: number;
}

const SOON_MS = 1_000;
const PAUSE_MS = 10_000;
/** Controllers start the same again and again: it is written once in this time. */
const WRITTEN_MS = 600_000;
const MOST_WRITTEN = 20_000;
const MOST_AT_ONCE = 500;
const MOST_WAITING = 10_000;

export function createRunningNotes({
  keep,
  log,
  soonMs = SOON_MS,
  pauseMs = PAUSE_MS,
}: RunningNotesPorts) {
  const written = new LRUCache<string, true>({ max: MOST_WRITTEN, ttl: WRITTEN_MS });
  const waiting = new Map<string, StartedImage>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<boolean> | null = null;
  let lost = 0;

  function soon(ms: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      void flush();
    }, ms).unref();
  }

  /** One write at a time. */
  function flush(): Promise<boolean> {
    writing ??= writeAll().finally(() => {
      writing = null;
      if (waiting.size > 0) soon(pauseMs);
    });
    return writing;
  }

  /** What could not be written waits. @returns whether nothing waits */
  async function writeAll(): Promise<boolean> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, MOST_AT_ONCE);
      try {
        const { left } = await keep(batch.map(([, each]) => each));
        lost += left;
      } catch (err) {
        log.warn({ err, waiting: waiting.size }, 'what clusters run is not recorded yet');
        return false;
      }
      for (const [key] of batch) {
        waiting.delete(key);
        written.set(key, true);
      }
    }
    if (lost > 0) log.warn({ lost }, `${lost} images that clusters run were not recorded`);
    lost = 0;
    return true;
  }

  return {
    note(started: readonly StartedImage[]): void {
      for (const each of started) {
        const key = `${each.cluster} ${each.namespace} ${each.repository} ${each.digest}`;
        if (written.has(key) || waiting.has(key)) continue;
        if (waiting.size < MOST_WAITING) waiting.set(key, each);
        else lost += 1;
      }
      if (waiting.size > 0) soon(soonMs);
    },
    /** Writes what waits, once. */
    async stop(): Promise<void> {
      if (timer !== null) clearTimeout(timer);
      await writing;
      await writeAll();
    },
  };
}
