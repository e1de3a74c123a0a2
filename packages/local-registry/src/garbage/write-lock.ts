/**
 * Readers–writer lock between pushes to the built-in registry and its garbage collection: running
 * writes are waited for, new ones wait. It also pins blobs that a running push relies on but no
 * manifest references yet, which the registry does not know. All state is in Redis, by its clock,
 * with leases, so that dead processes hold nothing. Only what makes a blob or manifest appear or
 * disappear is a write here: the bytes of an upload go to a separate directory that no collection
 * touches, so a long upload neither waits nor is waited for.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppError, isAppError, unavailable } from '@portcullis/errors';
import { type Redis, withRedis } from '@portcullis/runtime';

export interface WriteLock {
  /**
   * Runs the work once no collection runs. @throws unavailable `REGISTRY_COLLECTING` when that
   * takes too long
   */
  write<T>(work: () => Promise<T>): Promise<T>;
  /** Pins blobs on which a push relies. */
  needs(repository: string, digests: readonly string[]): Promise<void>;
  /** Unpins them: a manifest of the repository references them now. */
  settled(repository: string, digests: readonly string[]): Promise<void>;
}

export interface CollectorLock {
  /**
   * Blocks new writes and waits for running ones. @throws unavailable `REGISTRY_BUSY` when they do
   * not end in time
   */
  close(options: { patienceMs: number; signal: AbortSignal }): Promise<ExclusiveLock>;
  /** The pinned blobs, as `repository digest`. Pins made before `since` are unknown. */
  needed(): Promise<{ entries: { repository: string; digest: string }[]; since: Date }>;
}

export interface ExclusiveLock extends AsyncDisposable {
  /** Aborted when the lock was lost: nothing may be deleted any more. */
  lost: AbortSignal;
}

const PREFIX = 'portcullis:registry-gate:';
const [CLOSED, WRITERS, NEEDS, SINCE] = ['closed', 'writers', 'needs', 'since'].map(
  (name) => PREFIX + name,
) as [string, string, string, string];
const WRITER_MS = 30_000;
const CLOSED_MS = 10_000;
const RENEW_MS = 2_500;
/** A push that has not written its manifest within a day counts as abandoned. */
const NEEDED_MS = 24 * 3_600_000;
const WRITER_RENEWED_MS = 5_000;
/** Time after which a Redis that lost its data knows all running writes again. */
const KNOWN_AGAIN_MS = WRITER_RENEWED_MS + 3_000;
const POLL_MS = 200;
const PATIENCE_MS = 10_000;

const NOW = `local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000)`;
const ENTER = `${NOW}
  if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
  redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
  redis.call('SET', KEYS[3], now, 'NX')
  return 1`;
const STAY = `${NOW} return redis.call('ZADD', KEYS[1], 'CH', now + ARGV[2], ARGV[1])`;
const WRITING = `${NOW}
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  redis.call('SET', KEYS[2], now, 'NX')
  return {redis.call('ZCARD', KEYS[1]), now - redis.call('GET', KEYS[2])}`;
const KEEP_CLOSED = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return 0`;
const OPEN = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;
const NEED = `${NOW}
  redis.call('SET', KEYS[2], now, 'NX')
  for _, member in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now, member) end
  return 1`;
const NEEDED = `${NOW}
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[1])
  redis.call('SET', KEYS[2], now, 'NX')
  return {redis.call('GET', KEYS[2]), redis.call('ZRANGE', KEYS[1], 0, -1)}`;

const REDIS = 'REDIS_UNAVAILABLE';

export function createWriteLock(redis: Redis, { patienceMs = PATIENCE_MS } = {}): WriteLock {
  async function enter(token: string): Promise<void> {
    for (const end = Date.now() + patienceMs; ; await sleep(POLL_MS)) {
      const inside = await withRedis(REDIS, () =>
        redis.eval(ENTER, 3, CLOSED, WRITERS, SINCE, token, WRITER_MS),
      );
      if (inside === 1) return;
      if (Date.now() >= end) throw collecting();
    }
  }

  return {
    async write(work) {
      const token = randomUUID();
      await enter(token);
      const timer = setInterval(() => {
        void redis.eval(STAY, 1, WRITERS, token, WRITER_MS).catch(() => {});
      }, WRITER_RENEWED_MS);
      try {
        return await work();
      } finally {
        clearInterval(timer);
        // A token that is left behind expires.
        await redis.zrem(WRITERS, token).catch(() => {});
      }
    },
    async needs(repository, digests) {
      if (digests.length === 0) return;
      const members = digests.map((digest) => `${repository} ${digest}`);
      await withRedis(REDIS, () => redis.eval(NEED, 2, NEEDS, SINCE, ...members));
    },
    async settled(repository, digests) {
      if (digests.length === 0) return;
      const members = digests.map((digest) => `${repository} ${digest}`);
      await withRedis(REDIS, () => redis.zrem(NEEDS, ...members));
    },
  };
}

function collecting(): AppError {
  const message =
    'the garbage of the registry is being collected; writing is possible again in a moment';
  return unavailable('REGISTRY_COLLECTING', message, { retryAfter: 10 });
}

/** Whether a write failed because of a running collection. */
export function isCollecting(error: unknown): boolean {
  return isAppError(error) && error.code === 'REGISTRY_COLLECTING';
}

export function createCollectorLock(redis: Redis): CollectorLock {
  async function close({ patienceMs, signal }: { patienceMs: number; signal: AbortSignal }) {
    const token = randomUUID();
    const shut = await withRedis(REDIS, () => redis.set(CLOSED, token, 'PX', CLOSED_MS, 'NX'));
    if (shut === null)
      throw unavailable('REGISTRY_BUSY', 'another collection of garbage is running');
    const gate = hold(redis, token);
    try {
      await untilQuiet(AbortSignal.any([signal, gate.lost]), patienceMs);
      return gate;
    } catch (error) {
      await gate[Symbol.asyncDispose]();
      throw error;
    }
  }

  async function untilQuiet(signal: AbortSignal, patienceMs: number): Promise<void> {
    for (const end = Date.now() + patienceMs; ; await sleep(POLL_MS, undefined, { signal })) {
      const answer = await withRedis(REDIS, () => redis.eval(WRITING, 2, WRITERS, SINCE));
      const [writers, knownForMs] = answer as [number, number];
      if (writers === 0 && knownForMs >= KNOWN_AGAIN_MS) return;
      if (Date.now() >= end)
        throw unavailable(
          'REGISTRY_BUSY',
          'writes to the registry did not come to an end; try again later',
        );
    }
  }

  async function needed() {
    const answer = await withRedis(REDIS, () => redis.eval(NEEDED, 2, NEEDS, SINCE, NEEDED_MS));
    const [since, members] = answer as [string, string[]];
    const entries = members.map((member) => {
      const [repository = '', digest = ''] = member.split(' ');
      return { repository, digest };
    });
    return { entries, since: new Date(Number(since)) };
  }

  return { close, needed };
}

function hold(redis: Redis, token: string): ExclusiveLock {
  const lost = new AbortController();
  let renewedAt = Date.now();
  const timer = setInterval(() => void renew(), RENEW_MS);

  async function renew(): Promise<void> {
    const begun = Date.now();
    const held = await redis.eval(KEEP_CLOSED, 1, CLOSED, token, CLOSED_MS).catch(() => null);
    if (held === 1) renewedAt = begun;
    else if (held === 0) give();
  }

  /** Fires before the lock can have expired: a Redis that does not answer may have forgotten it. */
  const watchdog = setInterval(() => {
    if (Date.now() - renewedAt > CLOSED_MS - RENEW_MS) give();
  }, 250);

  function give(): void {
    lost.abort(
      unavailable('GATE_LOST', 'the registry could not be kept closed: writes may come again'),
    );
  }

  return {
    lost: lost.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      clearInterval(watchdog);
      // A lock that is left behind expires.
      await redis.eval(OPEN, 1, CLOSED, token).catch(() => {});
    },
  };
}
