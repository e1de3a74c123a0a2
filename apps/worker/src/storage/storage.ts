/**
 * Registers this worker's storage (DATA_DIR) with a heartbeat in the database, and claims jobs that
 * have no storage.
 */
import {
  STORAGE_GRACE_MS,
  STORAGE_HEARTBEAT_MS,
  STORAGE_LEASE_MS,
  type Stage,
} from '@portcullis/domain';
import type { Consumer, Queues } from '@portcullis/queue';
import { isShort, type Logger, type Part } from '@portcullis/runtime';
import type { StorageDisk, StorageState, Store } from '@portcullis/store';

export interface StorageKeeper extends Part {
  readonly id: string;
  /**
   * Whether the database was reachable long enough for every live worker to send its heartbeat.
   * After an outage of the database all storages look lost for a moment.
   */
  isSteady(): boolean;
}

export interface StorageKeeperPorts {
  id: string;
  storages: Pick<Store['storages'], 'beat'>;
  look(): Promise<StorageState>;
  log: Pick<Logger, 'warn'>;
  /** Time of a monotonic clock. */
  now(): number;
}

const LOOK_EVERY_MS = 2_000;

export function storageKeeper({ id, storages, look, log, now }: StorageKeeperPorts): StorageKeeper {
  let timer: NodeJS.Timeout | undefined;
  let beating = Promise.resolve();
  let lastReported: StorageState | null = null;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let steadySince: number | null = null;

  async function beat(): Promise<void> {
    const state = await look();
    const isDue = now() - reportedAt >= STORAGE_HEARTBEAT_MS;
    if (!isDue && lastReported !== null && isLike(lastReported, state)) return;
    await storages.beat(id, state);
    if (steadySince === null || now() - reportedAt > STORAGE_LEASE_MS) steadySince = now();
    [lastReported, reportedAt] = [state, now()];
  }

  const again = () => {
    beating = beating.then(beat).catch((err: unknown) => {
      steadySince = null;
      log.warn({ err }, 'the storage of this worker could not be told of');
    });
    return beating;
  };

  return {
    id,
    isSteady: () =>
      steadySince !== null &&
      now() - steadySince >= STORAGE_GRACE_MS &&
      // A beat that takes so long waits for a database that is away.
      now() - reportedAt <= STORAGE_LEASE_MS,
    async start() {
      // Before the first job: a storage without an entry counts as lost.
      await beat();
      timer = setInterval(again, LOOK_EVERY_MS);
    },
    async stop() {
      clearInterval(timer);
      await beating;
    },
  };
}

/** Changes of the free space below one percent are not reported. */
const REPORTED_CHANGE = 0.01;

function isLike(one: StorageState, other: StorageState): boolean {
  return (
    JSON.stringify(one.scanner) === JSON.stringify(other.scanner) &&
    one.fault?.message === other.fault?.message &&
    isLikeDisk(one.disk, other.disk) &&
    isLikeDisk(one.registryDisk, other.registryDisk)
  );
}

function isLikeDisk(one: StorageDisk | null, other: StorageDisk | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.total === other.total &&
    isShort(one) === isShort(other) &&
    Math.abs(one.free - other.free) < one.total * REPORTED_CHANGE
  );
}

export interface ClaimPorts {
  queues: Pick<Queues, 'consume' | 'dispatch'>;
  store: { jobs: Pick<Store['jobs'], 'claimStorage'> };
  storage: Pick<StorageKeeper, 'id'>;
}

const CLAIMS_AT_ONCE = 4;

/** Claims jobs without a storage: those of a restored backup. */
export interface ClaimConsumer extends Part {
  /** The consumer, once it was started. */
  started(): Iterable<Consumer>;
}

export function claimConsumer(stage: Stage, { queues, store, storage }: ClaimPorts): ClaimConsumer {
  let consumer: Consumer | null = null;

  async function claim(jobId: string): Promise<void> {
    const job = await store.jobs.claimStorage(jobId, storage.id);
    if (job) await queues.dispatch(job);
  }

  return {
    started: () => (consumer ? [consumer] : []),
    start() {
      consumer = queues.consume({ stage, storageId: null }, claim, { concurrency: CLAIMS_AT_ONCE });
    },
    async stop() {
      await consumer?.stop();
    },
  };
}
