/**
 * Stored settings in memory: read from the store once, and again after each change by any process.
 * While changes may be lost, nothing is kept in memory.
 */
import type { Redis } from '@portcullis/runtime';
import { publishChange, watchChanges } from './changes.ts';

/** The settings of the store. */
export interface StoredSettings {
  all(): Promise<Record<string, unknown>>;
}

export interface LiveSettings {
  /** As `find` of the store: null where nothing is stored. */
  find(key: string): Promise<unknown>;
  /**
   * Call after a write: this process reloads at once, others are notified. @throws unavailable
   * `EVENTS_UNAVAILABLE`
   */
  changed(): Promise<void>;
  /** Calls `listener` whenever settings may have changed. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
  /** While false, every call of `find` asks the database. */
  live(): boolean;
  close(): void;
}

/** A change that no message announced is read after a minute. */
const LONGEST_MS = 60_000;

export function liveSettings(redis: Redis, stored: StoredSettings): LiveSettings {
  const listeners = new Set<() => void>();
  let known: Promise<Record<string, unknown>> | null = null;
  let until = 0;
  const watch = watchChanges(redis, (kind) => {
    if (kind === 'settings') forget();
  });

  function forget(): void {
    known = null;
    for (const listener of listeners) listener();
  }

  function all(): Promise<Record<string, unknown>> {
    if (!watch.live()) return stored.all();
    if (known && performance.now() < until) return known;
    known = load();
    until = performance.now() + LONGEST_MS;
    return known;
  }

  function load(): Promise<Record<string, unknown>> {
    const loading = stored.all();
    loading.catch(() => {
      if (known === loading) known = null;
    });
    return loading;
  }

  return {
    find: async (key) => (await all())[key] ?? null,
    async changed() {
      forget();
      await publishChange(redis, 'settings');
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    live: watch.live,
    close: watch.close,
  };
}
