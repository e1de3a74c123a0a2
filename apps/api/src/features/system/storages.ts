/** The storages (DATA_DIRs) of the workers, as reported by them: the api has none. */
import type { DiskLooks, DiskSpace, Logger } from '@portcullis/runtime';
import type {
  DiskFault,
  Storage,
  StorageDisk,
  StorageScanner,
  StorageState,
  Store,
} from '@portcullis/store';

export interface StorageReader {
  /** @throws unavailable without the database */
  list(): Promise<Storage[]>;
  /** The last known ids, also without the database. */
  ids(): Promise<string[]>;
  /**
   * Of each kind the disk with the least space above the reserve; null if none is known. The
   * registry's is measured by this process where it has it, and otherwise as workers report it.
   */
  disks: DiskLooks;
  /** Why a running worker can't write to its disk; null where all can. */
  fault(): Promise<DiskFault | null>;
  scanner(): Promise<StorageScanner>;
}

/** Limits queries by pages and metrics. */
const REMEMBERED_MS = 1_000;

export function storageReader(
  storages: Pick<Store['storages'], 'list'>,
  log: Pick<Logger, 'warn'>,
  registryDisk: Pick<DiskSpace, 'look'> | null,
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
    disks: {
      data: async () => fullestDisk(await list(), ({ disk }) => disk),
      registry: async () =>
        registryDisk
          ? registryDisk.look().catch(() => null)
          : fullestDisk(await list(), (state) => state.registryDisk),
    },
    fault: async () => diskFault(await list()),
    scanner: async () => bestScanner(await list()),
  };
}

/** Storages with a live worker; without any, the one used last. */
function aliveOrFirst(storages: readonly Storage[]): Storage[] {
  const alive = storages.filter(({ isAlive }) => isAlive);
  return alive.length > 0 ? alive : storages.slice(0, 1);
}

export function fullestDisk(
  storages: readonly Storage[],
  diskOf: (state: StorageState) => StorageDisk | null,
): StorageDisk | null {
  const disks = aliveOrFirst(storages).flatMap(({ state }) => (state && diskOf(state)) ?? []);
  const spare = ({ free, reserve }: StorageDisk) => free - reserve;
  return disks.toSorted((one, other) => spare(one) - spare(other))[0] ?? null;
}

export function diskFault(storages: readonly Storage[]): DiskFault | null {
  const faults = storages.flatMap(({ isAlive, state }) => (isAlive && state?.fault) || []);
  return faults[0] ?? null;
}

const NONE: StorageScanner = {
  binary: 'unavailable',
  version: null,
  message: 'the scanner has not been set up',
  available: false,
  database: null,
  databaseFailure: null,
  javaDownload: null,
};

/** A storage whose scanner works, with the newest advisories, because any worker may scan a job. */
export function bestScanner(storages: readonly Storage[]): StorageScanner {
  const scanners = aliveOrFirst(storages).flatMap(({ state }) => state?.scanner ?? []);
  const rank = ({ available, binary, database }: StorageScanner) =>
    `${available ? 1 : 0}${binary === 'ready' ? 1 : 0}${database?.updatedAt ?? ''}`;
  return scanners.toSorted((one, other) => rank(other).localeCompare(rank(one)))[0] ?? NONE;
}
