/** The storages (DATA_DIRs) of the workers, as their workers told of them: this process has none. */
import type { Logger } from '@portcullis/runtime';
import type { Storage, Store } from '@portcullis/store';

export interface StorageReader {
  /** @throws unavailable where the database is away */
  list(): Promise<Storage[]>;
  /** Those that were known last, also while the database is away. */
  ids(): Promise<string[]>;
}

/** Pages and metrics may ask as often as they like. */
const REMEMBERED_MS = 1_000;

export function storageReader(
  storages: Pick<Store['storages'], 'list'>,
  log: Pick<Logger, 'warn'>,
): StorageReader {
  let known: { at: number; list: Promise<Storage[]> } | null = null;
  let last: string[] = [];

  function list(): Promise<Storage[]> {
    const now = performance.now();
    if (known === null || now - known.at >= REMEMBERED_MS) known = { at: now, list: storages.list() };
    return known.list;
  }

  async function ids(): Promise<string[]> {
    try {
      last = (await list()).map(({ id }) => id);
    } catch (err) {
      log.warn({ err }, 'the storages are not known now: their queues are counted as before');
    }
    return last;
  }

  return { list, ids };
}
