/**
 * What requests ask again and again (who is this, what may they do, which folders are there),
 * remembered for at most a minute, and only while this process hears of every change: what was
 * revoked is gone at once, and still a request on the hot path asks no database.
 */
import type { ChangeKind, ChangeWatch } from '@portcullis/events';
import { LRUCache } from 'lru-cache';

/** Null is not remembered: what isn't there may be made at any moment. */
export type Load<T extends object> = (key: string) => Promise<T | null>;

export interface Remembering<T extends object> extends Load<T> {
  /** Whether the answer is in memory. */
  knows(key: string): boolean;
}

export interface AccessCache {
  /** The same question, answered from memory where that may be believed. */
  remembering<T extends object>(load: Load<T>): Remembering<T>;
  /** Nothing that was read before, or is being read now, is remembered. */
  forget(): void;
  close(): void;
}

const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export function createAccessCache(
  watch: (onChange: (kind: ChangeKind) => void) => ChangeWatch,
  now: () => number = () => performance.now(),
): AccessCache {
  /** What was asked before a change is not kept, however late its answer comes. */
  let epoch = 0;
  const memories: { clear(): void }[] = [];
  const changes = watch((kind) => {
    if (kind === 'access') forget();
  });

  function forget(): void {
    epoch++;
    for (const memory of memories) memory.clear();
  }

  function remembering<T extends object>(load: Load<T>): Remembering<T> {
    const known = new LRUCache<string, T>({
      max: MOST_REMEMBERED,
      ttl: REMEMBERED_MS,
      ttlResolution: 0,
      perf: { now },
    });
    const asked = new Map<string, Promise<T | null>>();
    memories.push(known, asked);

    async function ask(key: string): Promise<T | null> {
      const began = epoch;
      const loaded = await load(key);
      if (loaded && began === epoch && changes.live()) known.set(key, loaded);
      return loaded;
    }

    /** A hundred requests that come at once after a change are one question. */
    function askOnce(key: string): Promise<T | null> {
      const running = asked.get(key);
      if (running) return running;
      const asking = ask(key).finally(() => {
        if (asked.get(key) === asking) asked.delete(key);
      });
      asked.set(key, asking);
      return asking;
    }

    async function recall(key: string): Promise<T | null> {
      return changes.live() ? (known.get(key) ?? askOnce(key)) : load(key);
    }

    return Object.assign(recall, { knows: (key: string) => changes.live() && known.has(key) });
  }

  return { remembering, forget, close: () => changes.close() };
}
