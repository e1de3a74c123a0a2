/**
 * The stored settings as a process remembers them: asked of the store once, then again after each change, whoever
 * made it. While changes may be missed nothing is remembered.
 */
import type { Redis } from '@portcullis/runtime';
import { publishChange, watchChanges } from './changes.ts';

/** The store's part. */
export interface StoredSettings {
  all(): Promise<Record<string, unknown>>;
}

export interface LiveSettings {
  /** As the store's own `find`: null where nothing is stored. */
  find(key: string): Promise<unknown>;
  /** After a write: this process forgets at once, the others hear of it. @throws unavailable `EVENTS_UNAVAILABLE` */
  changed(): Promise<void>;
  /** Calls `listener` whenever the settings may have changed. The result ends that. */
  onChange(listener: () => void): () => void;
  close(): void;
}

export function liveSettings(redis: Redis, stored: StoredSettings): LiveSettings {
  const listeners = new Set<() => void>();
  let known: Promise<Record<string, unknown>> | null = null;
  const watch = watchChanges(redis, (kind) => {
    if (kind === 'settings') forget();
  });

  function forget(): void {
    known = null;
    for (const listener of listeners) listener();
  }

  function all(): Promise<Record<string, unknown>> {
    if (!watch.live()) return stored.all();
    known ??= load();
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
    close: watch.close,
  };
}
