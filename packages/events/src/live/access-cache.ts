/**
 * Caches accounts, grants and folder names for at most a minute, and only while this process
 * receives change notifications. Revocations act at once, and most requests need no database query.
 */
import { LRUCache } from 'lru-cache';
import type { ChangeKind, ChangeWatch } from './changes.ts';

/** Null is not cached: the object may be created at any moment. */
export type Load<T extends object> = (key: string) => Promise<T | null>;

export interface Remembering<T extends object> extends Load<T> {
  /** Whether the answer is cached. */
  knows(key: string): boolean;
}

export interface AccessCache {
  /** The same query, answered from the cache when it is valid. */
  remembering<T extends object>(load: Load<T>): Remembering<T>;
  /** Drops every cached answer, and those of running queries when they arrive. */
  forget(): void;
  close(): void;
}

const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export function createAccessCache(
  watch: (onChange: (kind: ChangeKind) => void) => ChangeWatch,
  now: () => number = () => performance.now(),
): AccessCache {
  /** An answer to a query from before a change is not cached. */
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
    const lookups = new Map<string, Promise<T | null>>();
    memories.push(known, lookups);

    async function ask(key: string): Promise<T | null> {
      const began = epoch;
      const loaded = await load(key);
      if (loaded && began === epoch && changes.live()) known.set(key, loaded);
      return loaded;
    }

    /** Single flight: concurrent requests after a change share one query. */
    function askOnce(key: string): Promise<T | null> {
      const running = lookups.get(key);
      if (running) return running;
      const pending = ask(key).finally(() => {
        if (lookups.get(key) === pending) lookups.delete(key);
      });
      lookups.set(key, pending);
      return pending;
    }

    async function recall(key: string): Promise<T | null> {
      return changes.live() ? (known.get(key) ?? askOnce(key)) : load(key);
    }

    return Object.assign(recall, { knows: (key: string) => changes.live() && known.has(key) });
  }

  return { remembering, forget, close: () => changes.close() };
}
