/**
 * Readers–writer lock between pushes to the built-in registry and its garbage collection: running
 * writes are waited for, new ones wait. It also pins blobs that a running push relies on but no
 * manifest references yet, which the registry does not know, and records what writes touch between
 * the batches of a collection. All state is in Redis, by its clock, with leases, so that dead
 * processes hold nothing. Only what makes a blob or manifest appear or disappear is a write here:
 * the bytes of an upload go to a separate directory that no collection touches, so a long upload
 * neither waits nor is waited for.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppError, isAppError, unavailable } from '@portcullis/errors';
import { type Redis, withRedis } from '@portcullis/runtime';
import {
  BATCHES,
  CLOSED,
  NEEDS,
  NOW,
  PAUSED,
  REDIS,
  SHARED_MS,
  SINCE,
  TOUCHED,
  WRITER_RENEWED_MS,
  WRITERS,
} from './lock-keys.ts';
import { endOfTurn, perTurn } from './per-turn.ts';

export interface WriteLock {
  /**
   * Runs the work once no collection deletes, and pins blobs first, as `needs` does.
   * @throws unavailable `REGISTRY_COLLECTING` when that takes too long
   */
  write<T>(work: () => Promise<T>, needs?: Needs): Promise<T>;
  /** Pins blobs on which a push relies. Called during `write`. */
  needs(repository: string, digests: readonly string[]): Promise<void>;
  /** Unpins them: a manifest of the repository references them now. */
  settled(repository: string, digests: readonly string[]): Promise<void>;
  /**
   * Records manifests, by tag or digest, that the write stores or tags. Called during `write`,
   * before the registry is asked: a running collection keeps what they reach.
   */
  touches(repository: string, references: readonly string[]): Promise<void>;
}

interface Needs {
  repository: string;
  digests: readonly string[];
}

const WRITER_MS = 30_000;
const POLL_MS = 50;
const PATIENCE_MS = 10_000;

const KEYS = [CLOSED, WRITERS, SINCE, PAUSED, TOUCHED, NEEDS] as const;
const IN_BATCHES = `string.sub(redis.call('GET', KEYS[1]) or '', 1, ${BATCHES.length}) == '${BATCHES}'`;
/** Lua that pins the members from an index of ARGV on. The others are indices of KEYS. */
const pinning = (first: number, { touched, needs }: { touched: number; needs: number }) => `
  local batches = ${IN_BATCHES}
  for nth = ${first}, #ARGV do
    if batches then redis.call('SADD', KEYS[${touched}], ARGV[nth]) end
    redis.call('ZADD', KEYS[${needs}], now, ARGV[nth])
  end`;
const ENTER = `${NOW}
  if redis.call('EXISTS', KEYS[1]) == 1 and not (${IN_BATCHES}) then return 0 end
  if redis.call('EXISTS', KEYS[4]) == 1 then return 0 end
  redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
  redis.call('SET', KEYS[3], now, 'NX')
  ${pinning(3, { touched: 5, needs: 6 })}
  return 1`;
const STAY = `${NOW} return redis.call('ZADD', KEYS[1], 'CH', now + ARGV[2], ARGV[1])`;
const TOUCH = `if ${IN_BATCHES} then
    for _, member in ipairs(ARGV) do redis.call('SADD', KEYS[2], member) end
  end`;
const NEED = `${NOW}
  redis.call('SET', KEYS[4], now, 'NX')
  ${pinning(1, { touched: 2, needs: 3 })}
  return 1`;

/**
 * Writes that began in one turn of the event loop, or soon after it while one of them runs, share
 * an entry in Redis.
 */
interface Entry {
  /** Pinned with the entry; members of `NEEDS`. */
  pins: string[];
  entered: Promise<() => Promise<void>>;
  running: number;
  /** By `performance.now()`; 0 until it has entered. */
  joinableUntil: number;
}

export function createWriteLock(redis: Redis, { patienceMs = PATIENCE_MS } = {}): WriteLock {
  /** Of this turn. */
  let beginning: Entry | null = null;
  /** The last one that has entered. */
  let latest: Entry | null = null;
  // A token that is left behind expires.
  const leave = perTurn<string>((tokens) => redis.zrem(WRITERS, ...tokens).catch(() => {}));
  const pin = perTurn<string>((members) =>
    withRedis(REDIS, () => redis.eval(NEED, 4, CLOSED, TOUCHED, NEEDS, SINCE, ...members)),
  );
  const unpin = perTurn<string>((members) => withRedis(REDIS, () => redis.zrem(NEEDS, ...members)));
  const touch = perTurn<string>((members) =>
    withRedis(REDIS, () => redis.eval(TOUCH, 2, CLOSED, TOUCHED, ...members)),
  );

  /** @returns when it was sent, by `performance.now()`: the answer may be late */
  async function enter(token: string, pins: readonly string[]): Promise<number> {
    for (const end = Date.now() + patienceMs; ; await sleep(POLL_MS)) {
      const sentAt = performance.now();
      const inside = await withRedis(REDIS, () =>
        redis.eval(ENTER, KEYS.length, ...KEYS, token, WRITER_MS, ...pins),
      );
      if (inside === 1) return sentAt;
      if (Date.now() >= end) throw collecting();
    }
  }

  /** @returns what the last of the writes calls */
  async function entered(entry: Entry): Promise<() => Promise<void>> {
    beginning = null;
    const token = randomUUID();
    entry.joinableUntil = (await enter(token, entry.pins)) + SHARED_MS;
    latest = entry;
    const timer = setInterval(() => {
      void redis.eval(STAY, 1, WRITERS, token, WRITER_MS).catch(() => {});
    }, WRITER_RENEWED_MS);
    return () => {
      clearInterval(timer);
      return leave([token]);
    };
  }

  function ofThisTurn(): Entry {
    if (beginning !== null) return beginning;
    const entry: Entry = {
      pins: [],
      running: 0,
      joinableUntil: 0,
      entered: endOfTurn().then(() => entered(entry)),
    };
    beginning = entry;
    return entry;
  }

  function joinable(): Entry | null {
    if (latest === null || latest.running === 0) return null;
    return performance.now() < latest.joinableUntil ? latest : null;
  }

  return {
    async write(work, needs) {
      const pins = needs ? membersOf(needs.repository, needs.digests) : [];
      const joined = joinable();
      const entry = joined ?? ofThisTurn();
      entry.running += 1;
      if (!joined) entry.pins.push(...pins);
      const end = await entry.entered;
      try {
        if (joined && pins.length > 0) await pin(pins);
        return await work();
      } finally {
        entry.running -= 1;
        if (entry.running === 0) await end();
      }
    },
    needs: async (repository, digests) => {
      if (digests.length > 0) await pin(membersOf(repository, digests));
    },
    settled: async (repository, digests) => {
      if (digests.length > 0) await unpin(membersOf(repository, digests));
    },
    touches: (repository, references) => touch(membersOf(repository, references)),
  };
}

function membersOf(repository: string, references: readonly string[]): string[] {
  return references.map((reference) => `${repository} ${reference}`);
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
