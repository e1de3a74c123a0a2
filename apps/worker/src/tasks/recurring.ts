/**
 * Keeps recurring tasks scheduled. Their schedulers are in Redis, which may lose its data, so every
 * worker checks them every 30 seconds (`searchFactor`) and at each reconnect.
 */
import type { Queues } from '@portcullis/queue';
import type { Logger, Part, Redis } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { WorkerConfig } from '../config.ts';
import type { StorageKeeper } from '../storage/storage.ts';

export interface RecurringPorts {
  storage: Pick<StorageKeeper, 'id'>;
  config: Pick<
    WorkerConfig,
    'SWEEP_SECONDS' | 'RECONCILE_SECONDS' | 'TRIVY_DB_UPDATE_HOURS' | 'searchFactor'
  >;
  queues: Pick<Queues, 'every' | 'schedule'>;
  schedules: Pick<Store['schedules'], 'enabled'>;
  redis: Pick<Redis, 'on' | 'off'>;
  log: Pick<Logger, 'info' | 'warn'>;
}

const ENSURE_MS = 30_000;
/** Cheap while no feed is due; a failed download is tried again with the next. */
const FEEDS_MS = 3_600_000;
/** Looking for folders that are due is cheap. */
const RETENTION_MS = 3_600_000;

export function recurring({
  config,
  storage,
  queues,
  schedules,
  redis,
  log,
}: RecurringPorts): Part {
  let timer: NodeJS.Timeout | undefined;
  let busy = false;

  /** Returns the number of schedulers that were missing. */
  async function ensure(): Promise<number> {
    const here = { storageId: storage.id };
    const set = [
      await queues.every({ name: 'sweep' }, config.SWEEP_SECONDS * 1000),
      await queues.every({ name: 'trim-events' }, 60_000),
      await queues.every({ name: 'end-waivers' }, 60_000),
      await queues.every({ name: 'reconcile-images' }, config.RECONCILE_SECONDS * 1000),
      await queues.every({ name: 'refresh-feeds' }, FEEDS_MS),
      await queues.every({ name: 'apply-retention' }, RETENTION_MS),
      await queues.every({ name: 'prune-cache' }, 3_600_000, here),
      // Cheap while no update is due: the database file states when the next one is published.
      await queues.every(
        { name: 'update-scanner-db' },
        config.TRIVY_DB_UPDATE_HOURS * 3_600_000,
        here,
      ),
    ];
    // The sweep finds missed runs in the rows.
    for (const { id, ...times } of await schedules.enabled())
      set.push(await queues.schedule(id, times));
    return set.filter(Boolean).length;
  }

  /** One check at a time: while Redis is unreachable the first one waits. */
  async function again(): Promise<void> {
    if (busy) return;
    busy = true;
    try {
      const count = await ensure();
      if (count > 0) log.warn({ count }, 'recurring tasks were missing in Redis and are set again');
    } catch (err) {
      log.warn({ err }, 'recurring tasks could not be ensured; trying again');
    } finally {
      busy = false;
    }
  }

  const kick = () => void again();

  return {
    async start() {
      await ensure();
      redis.on('ready', kick);
      timer = setInterval(kick, ENSURE_MS * config.searchFactor);
      timer.unref();
    },
    stop() {
      clearInterval(timer);
      redis.off('ready', kick);
    },
  };
}
