/**
 * The storages (DATA_DIRs) of the workers, as their workers told of them: this process has none.
 */
import type { Logger } from '@portcullis/runtime';
import type { Storage, StorageDisk, StorageScanner, Store } from '@portcullis/store';

export interface StorageReader {
  /** @throws unavailable where the database is away */
  list(): Promise<Storage[]>;
  /** Those that were known last, also while the database is away. */
  ids(): Promise<string[]>;
  /** Where the least is free above the reserve; null where no worker has told of its disk. */
  disk(): Promise<StorageDisk | null>;
  scanner(): Promise<StorageScanner>;
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
    if (known === null || now - known.at >= REMEMBERED_MS)
      known = { at: now, list: storages.list() };
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

  return {
    list,
    ids,
    disk: async () => tightest(await list()),
    scanner: async () => bestScanner(await list()),
  };
}

/** Of those that workers use; where no worker lives, of the last one that was used. */
function inUse(storages: readonly Storage[]): Storage[] {
  const alive = storages.filter(({ isAlive }) => isAlive);
  return alive.length > 0 ? alive : storages.slice(0, 1);
}

export function tightest(storages: readonly Storage[]): StorageDisk | null {
  const disks = inUse(storages).flatMap(({ state }) => state?.disk ?? []);
  const spare = ({ free, reserve }: StorageDisk) => free - reserve;
  return disks.toSorted((one, other) => spare(one) - spare(other))[0] ?? null;
}

const NONE: StorageScanner = {
  binary: 'unavailable',
  version: null,
  message: 'the scanner has not been set up',
  available: false,
  database: null,
  javaDownload: null,
};

/**
 * One that can scan, by the newest advisories: a job is held against what any worker might find in
 * it.
 */
export function bestScanner(storages: readonly Storage[]): StorageScanner {
  const scanners = inUse(storages).flatMap(({ state }) => state?.scanner ?? []);
  const rank = ({ available, binary, database }: StorageScanner) =>
    `${available ? 1 : 0}${binary === 'ready' ? 1 : 0}${database?.updatedAt ?? ''}`;
  return scanners.toSorted((one, other) => rank(other).localeCompare(rank(one)))[0] ?? NONE;
}
