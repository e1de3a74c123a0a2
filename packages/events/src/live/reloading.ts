/** Keeps something of the store in memory: it is read again after each change of the settings. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@portcullis/runtime';
import type { LiveSettings } from './live-settings.ts';

export interface ReloadingPorts {
  settings: Pick<LiveSettings, 'onChange'>;
  /** Reads it. Resolves with whether it differs from what is known. */
  load(): Promise<boolean>;
  /** What is read, for the log. */
  what: string;
  log: Pick<Logger, 'warn'>;
}

export interface Reloading {
  /** Calls `listener` after each change. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
  /** Rejects where it can't be read. */
  start(): Promise<void>;
  stop(): void;
}

const AGAIN_MS = 1_000;

export function reloading({ settings, load, what, log }: ReloadingPorts): Reloading {
  const listeners = new Set<() => void>();
  let [loading, stale, stopped] = [false, false, false];
  let unsubscribe = (): void => {};

  async function loadOnce(): Promise<void> {
    if (!(await load())) return;
    for (const listener of listeners) listener();
  }

  /** A change during a load causes another load; after a failure what is known stays. */
  async function reload(): Promise<void> {
    if (loading) return;
    loading = true;
    while (stale && !stopped) {
      stale = false;
      try {
        await loadOnce();
      } catch (error) {
        log.warn({ err: error }, `${what} could not be read; trying again`);
        stale = true;
        await pause(AGAIN_MS, undefined, { ref: false });
      }
    }
    loading = false;
  }

  return {
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async start() {
      unsubscribe = settings.onChange(() => {
        stale = true;
        void reload();
      });
      loading = true;
      try {
        await loadOnce();
      } finally {
        loading = false;
      }
      // A change during this load.
      void reload();
    },
    stop() {
      stopped = true;
      unsubscribe();
    },
  };
}
