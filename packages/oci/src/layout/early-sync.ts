/**
 * Syncs a file to the disk while it is written, so that the sync at its end has little left to do.
 * One file of a thread is synced at a time, because syncs share the few threads that Node has for
 * files and DNS.
 */
import type { FileHandle } from 'node:fs/promises';

export interface EarlySync {
  /** Notes how far the file is written, and starts a sync from time to time. */
  note(end: number): void;
  settled(): Promise<void>;
  /** @throws the failure of a sync; the kernel reports it once, so that a later one may succeed */
  assertSynced(): void;
}

const EVERY_BYTES = 16 * 1024 * 1024;

let isBusy = false;

export function createEarlySync(file: Pick<FileHandle, 'datasync'>, from: number): EarlySync {
  let synced = from;
  let running: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;

  const sync = async () => {
    isBusy = true;
    try {
      await file.datasync();
    } catch (error) {
      failure ??= { error };
    } finally {
      isBusy = false;
      running = undefined;
    }
  };
  return {
    note(end) {
      if (isBusy || end - synced < EVERY_BYTES) return;
      synced = end;
      running = sync();
    },
    async settled() {
      await running;
    },
    assertSynced() {
      if (failure) throw failure.error;
    },
  };
}
