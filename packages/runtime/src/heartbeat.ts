/** Announces a process in Redis while it runs. */
import { writeFile } from 'node:fs/promises';
import type { Part } from './lifecycle.ts';
import type { Redis } from './redis/redis.ts';

export interface HeartbeatOptions {
  /** `api`, `worker`, `notifier`. */
  name: string;
  instance: string;
  version: string;
  /** Called at each beat. */
  detail?: (() => Record<string, unknown>) | undefined;
  intervalMs?: number | undefined;
  /** Touched at each beat, for health checks from outside; also while Redis is unreachable. */
  file?: string | undefined;
}

export interface Heartbeat {
  name: string;
  instance: string;
  version: string;
  startedAt: string;
  seenAt: string;
  detail: Record<string, unknown>;
}

const PREFIX = 'portcullis:heartbeat:';
/** When any process of a name was seen last: it remains when none runs any more. */
const LAST_PREFIX = 'portcullis:last-beat:';
const INTERVAL_MS = 2_000;
/** A process that missed this many beats is removed from the list. */
const MISSED = 5;

/**
 * Publishes that this process is alive in Redis. A beat that cannot be sent is skipped: the next
 * one follows.
 */
export function heartbeat(redis: Redis, options: HeartbeatOptions): Part {
  const { name, instance, version, detail = () => ({}), intervalMs = INTERVAL_MS, file } = options;
  const key = `${PREFIX}${name}:${instance}`;
  const startedAt = new Date().toISOString();
  let timer: NodeJS.Timeout | undefined;

  async function beat(): Promise<void> {
    if (file !== undefined) await writeFile(file, '').catch(() => {});
    const seen: Heartbeat = {
      name,
      instance,
      version,
      startedAt,
      seenAt: new Date().toISOString(),
      detail: detail(),
    };
    await Promise.all([
      redis.set(key, JSON.stringify(seen), 'PX', intervalMs * MISSED),
      redis.set(`${LAST_PREFIX}${name}`, seen.seenAt),
    ]).catch(() => {});
  }

  return {
    async start() {
      // Not awaited while Redis is unreachable: a process must be able to start without it.
      if (redis.status === 'ready') await beat();
      else void beat();
      timer = setInterval(() => void beat(), intervalMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      if (redis.status === 'ready') await redis.del(key).catch(() => {});
    },
  };
}

/** When a process of this name ran last; null where none ever did. */
export async function lastBeat(redis: Redis, name: string): Promise<Date | null> {
  const seen = await redis.get(`${LAST_PREFIX}${name}`);
  return seen === null ? null : new Date(seen);
}

/** Sorted by name, then instance. */
export async function listHeartbeats(redis: Redis): Promise<Heartbeat[]> {
  const keys: string[] = [];
  for await (const found of redis.scanStream({ match: `${PREFIX}*`, count: 200 }))
    keys.push(...found);
  if (keys.length === 0) return [];
  const values = await redis.mget([...new Set(keys)]);
  return values
    .filter((value) => value !== null)
    .map((value): Heartbeat => JSON.parse(value))
    .sort((a, b) => a.name.localeCompare(b.name) || a.instance.localeCompare(b.instance));
}
