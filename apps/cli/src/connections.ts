/** Opens the store and Redis for a command and closes them at its end. */
import type { AuditEventName } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import {
  type AuditEvent,
  type ChangeKind,
  createAuditLog,
  publishChange,
  systemEvent,
} from '@portcullis/events';
import { loadSecretKeys, openRedis, type Redis, redisReady, sealer } from '@portcullis/runtime';
import { inspectDatabase, openStore, type Store } from '@portcullis/store';
import type { CommandCall } from './command.ts';
import { hostUser } from './host-user.ts';

export type Surrounded = Pick<CommandCall, 'config' | 'surroundings' | 'terminal'>;

export async function withStore<T>(
  call: Surrounded,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const { secretKey, previousKey, dataDir } = call.config;
  const [key, ...others] = await loadSecretKeys({ secretKey, previousKey, dataDir });
  const store = openStore(await migratedDatabase(call), sealer(key, others));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** @throws conflict `DATABASE_NOT_MIGRATED`: the store knows only the tables of this release */
export async function migratedDatabase({
  surroundings,
}: Pick<CommandCall, 'surroundings'>): Promise<string> {
  const url = await surroundings.url('postgres');
  const { missing } = await inspectDatabase(url);
  if (missing.length === 0) return url;
  throw conflict(
    'DATABASE_NOT_MIGRATED',
    'the database lacks tables of this release; run `portcullis migrate`',
  );
}

/** @throws unavailable `REDIS_UNAVAILABLE` */
export async function withRedisServer<T>(
  call: Surrounded,
  work: (redis: Redis) => Promise<T>,
): Promise<T> {
  const redis = openRedis(await call.surroundings.url('redis'), { mode: 'fail-fast' });
  try {
    await redisReady(redis);
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

export interface CommandEvent {
  event: AuditEventName;
  /** The command's name. */
  action: string;
  resource?: AuditEvent['resource'];
  detail?: Record<string, unknown>;
}

export function changeEvent({ resource = null, detail = {}, ...done }: CommandEvent): AuditEvent {
  return systemEvent({
    ...done,
    outcome: 'success',
    actor: { id: null, name: 'cli' },
    resource,
    detail: { ...detail, host_user: hostUser() },
  });
}

interface Announced {
  /** What running processes must reload. */
  change?: ChangeKind | undefined;
  /** Redis keys that are no longer valid. */
  forget?: string[] | undefined;
}

export type Done = CommandEvent & Announced;

/**
 * Writes the audit event and notifies the processes. The change itself is done, also where that
 * fails: then people get a warning. Without Redis the event waits in the database until a process
 * publishes it.
 */
export async function announceChange(
  call: Surrounded,
  { change, forget, ...done }: Done,
): Promise<string[]> {
  const recorded = await withOutbox(call, (outbox) => outbox.put([changeEvent(done)])).then(
    () => [],
    () => ['The database can not be reached: this is not in the audit log.'],
  );
  return [...recorded, ...(await notifyProcesses(call, { change, forget }))];
}

/** For a change that was committed with its event. */
export async function notifyProcesses(
  call: Surrounded,
  { change, forget = [] }: Announced,
): Promise<string[]> {
  const withoutRedis =
    change === undefined
      ? []
      : ['Processes that run learn of this within a minute, or when restarted.'];
  if (!call.surroundings.has('redis')) return withoutRedis;
  try {
    await withRedisServer(call, async (redis) => {
      if (forget.length > 0) await redis.del(...forget);
      // It publishes pending events before it stops.
      await withOutbox(call, async (outbox) =>
        createAuditLog({ redis, outbox, log: SILENT }).stop?.(),
      );
      if (change !== undefined) await publishChange(redis, change);
    });
    return [];
  } catch {
    return withoutRedis;
  }
}

const SILENT = { info() {}, warn() {}, error() {} };

/** It contains no secrets: no key is needed. @throws conflict `DATABASE_NOT_MIGRATED` */
export async function withOutbox<T>(
  call: Surrounded,
  work: (outbox: Store['outbox']) => Promise<T>,
): Promise<T> {
  const plain = (text: string) => text;
  const store = openStore(await migratedDatabase(call), { seal: plain, open: plain });
  try {
    return await work(store.outbox);
  } finally {
    await store.close();
  }
}
