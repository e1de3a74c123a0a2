/**
 * The collector's side of the lock: alone for the whole run, or for moments between which writes go
 * on and are recorded.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError, unavailable } from '@portcullis/errors';
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

export interface CollectorLock {
  /**
   * Blocks new writes and waits for running ones; while these do not end, it lets new ones in again
   * and again. @throws unavailable `REGISTRY_BUSY` when they do not end in time
   */
  close(options: Waiting): Promise<ExclusiveLock>;
  /**
   * Begins a collection in batches. All writes that began before have ended, and all others record
   * what they touch. @throws unavailable `REGISTRY_BUSY`
   */
  begin(options: Waiting): Promise<BatchedLock>;
  /** The pinned blobs, as `repository digest`. Pins made before `since` are unknown. */
  needed(): Promise<{ entries: { repository: string; digest: string }[]; since: Date }>;
}

interface Waiting {
  patienceMs: number;
  signal: AbortSignal;
}

export interface ExclusiveLock extends AsyncDisposable {
  /** Aborted when the lock was lost: nothing may be deleted any more. */
  lost: AbortSignal;
}

export interface BatchedLock extends ExclusiveLock {
  /**
   * Blocks writes until it is disposed. While running writes do not end, it lets new ones in again
   * and again. @throws unavailable `REGISTRY_BUSY`, `GATE_LOST`
   */
  pause(options: Waiting): Promise<WritePause>;
}

export interface WritePause extends AsyncDisposable {
  /** The finished writes since the last pause: blobs and manifests, by digest, and tags. */
  touched: Touched[];
  /** False once the pause may have ended by itself: nothing may be deleted any more. */
  isSafe(): boolean;
}

export interface Touched {
  repository: string;
  reference: string;
}

const CLOSED_MS = 10_000;
const RENEW_MS = 2_500;
/** A push that has not written its manifest within a day counts as abandoned. */
const NEEDED_MS = 24 * 3_600_000;
/** Time after which a Redis that lost its data knows all running writes again. */
const KNOWN_AGAIN_MS = WRITER_RENEWED_MS + 3_000;
const POLL_MS = 20;
/** New writes wait no longer than this for running ones. */
const ATTEMPT_MS = 500 + SHARED_MS;
/** The same where they wait for the whole run afterwards: a bucket's writes take longer. */
const CLOSING_MS = 2_000 + SHARED_MS;
const BETWEEN_ATTEMPTS_MS = 250;
/** Half of the lease of a pause: a started deletion ends before it. */
const SAFE_MS = CLOSED_MS / 2;

const WRITING = `${NOW}
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  redis.call('SET', KEYS[2], now, 'NX')
  return {redis.call('ZCARD', KEYS[1]), now - redis.call('GET', KEYS[2])}`;
const SHUT = `if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then
    redis.call('DEL', KEYS[2])
    return 1
  end
  return 0`;
const KEEP_CLOSED = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return 0`;
const OPEN = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;
const PAUSE = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
  return 1`;
const TAKE = `if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('GET', KEYS[2]) ~= ARGV[1] then return false end
  local touched = redis.call('SMEMBERS', KEYS[3])
  redis.call('DEL', KEYS[3])
  return touched`;
const NEEDED = `${NOW}
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[1])
  redis.call('SET', KEYS[2], now, 'NX')
  return {redis.call('GET', KEYS[2]), redis.call('ZRANGE', KEYS[1], 0, -1)}`;

export function createCollectorLock(redis: Redis): CollectorLock {
  async function shut(token: string): Promise<ExclusiveLock> {
    const done = await withRedis(REDIS, () =>
      redis.eval(SHUT, 2, CLOSED, TOUCHED, token, CLOSED_MS),
    );
    if (done !== 1) throw unavailable('REGISTRY_BUSY', 'another collection of garbage is running');
    return hold(redis, token);
  }

  async function close({ patienceMs, signal }: Waiting): Promise<ExclusiveLock> {
    for (const end = Date.now() + patienceMs; ; ) {
      const closed = await closedNow(signal);
      if (closed !== null) return closed;
      if (Date.now() >= end) throw stillWriting();
      await sleepUnless(signal, BETWEEN_ATTEMPTS_MS);
    }
  }

  /** Null where the running writes do not end soon. */
  async function closedNow(signal: AbortSignal): Promise<ExclusiveLock | null> {
    const closed = await shut(randomUUID());
    const either = AbortSignal.any([signal, closed.lost]);
    try {
      return await disposedUnless(closed, () => untilQuiet(either, CLOSING_MS));
    } catch (error) {
      if (isStillWriting(error)) return null;
      throw error;
    }
  }

  async function begin(waiting: Waiting): Promise<BatchedLock> {
    const token = `${BATCHES}${randomUUID()}`;
    const closed = await shut(token);
    const pause = (each: Waiting) => pausedBy(token, closed.lost, each);
    const lock = {
      lost: closed.lost,
      pause,
      [Symbol.asyncDispose]: () => closed[Symbol.asyncDispose](),
    };
    return disposedUnless(lock, async () => {
      await using _ = await pause(waiting);
    });
  }

  async function pausedBy(token: string, lost: AbortSignal, { patienceMs, signal }: Waiting) {
    const either = AbortSignal.any([signal, lost]);
    for (const end = Date.now() + patienceMs; ; ) {
      const paused = await attempt(token, either);
      if (paused !== null) return paused;
      if (Date.now() >= end) throw stillWriting();
      await sleepUnless(either, BETWEEN_ATTEMPTS_MS);
    }
  }

  /** Null where the running writes do not end soon. */
  async function attempt(token: string, signal: AbortSignal): Promise<WritePause | null> {
    signal.throwIfAborted();
    const begun = Date.now();
    const open = async () => {
      // A pause that is left behind expires.
      await redis.eval(OPEN, 1, PAUSED, token).catch(() => {});
    };
    const paused = await withRedis(REDIS, () =>
      redis.eval(PAUSE, 2, CLOSED, PAUSED, token, CLOSED_MS),
    );
    if (paused !== 1) throw lostLock();
    try {
      await untilQuiet(signal, ATTEMPT_MS);
      const touched = await take(token);
      return {
        touched,
        isSafe: () => Date.now() - begun < SAFE_MS,
        [Symbol.asyncDispose]: open,
      };
    } catch (error) {
      await open();
      if (isStillWriting(error)) return null;
      throw error;
    }
  }

  async function take(token: string): Promise<Touched[]> {
    const members = await withRedis(REDIS, () =>
      redis.eval(TAKE, 3, CLOSED, PAUSED, TOUCHED, token),
    );
    if (members === null) throw lostLock();
    return (members as string[]).map((member) => {
      const [repository = '', reference = ''] = member.split(' ');
      return { repository, reference };
    });
  }

  async function untilQuiet(signal: AbortSignal, patienceMs: number): Promise<void> {
    for (const end = Date.now() + patienceMs; ; await sleepUnless(signal, POLL_MS)) {
      const answer = await withRedis(REDIS, () => redis.eval(WRITING, 2, WRITERS, SINCE));
      const [writers, knownForMs] = answer as [number, number];
      if (writers === 0 && knownForMs >= KNOWN_AGAIN_MS) return;
      if (Date.now() >= end) throw stillWriting();
    }
  }

  async function findNeeded() {
    const answer = await withRedis(REDIS, () => redis.eval(NEEDED, 2, NEEDS, SINCE, NEEDED_MS));
    const [since, members] = answer as [string, string[]];
    const entries = members.map((member) => {
      const [repository = '', digest = ''] = member.split(' ');
      return { repository, digest };
    });
    return { entries, since: new Date(Number(since)) };
  }

  return { close, begin, needed: findNeeded };
}

/** @throws the signal's reason */
export async function sleepUnless(signal: AbortSignal, ms: number): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
  signal.throwIfAborted();
}

async function disposedUnless<L extends AsyncDisposable>(
  lock: L,
  ready: () => Promise<void>,
): Promise<L> {
  try {
    await ready();
    return lock;
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}

function stillWriting() {
  const message = 'writes to the registry did not come to an end; try again later';
  return unavailable('REGISTRY_BUSY', message);
}

function isStillWriting(error: unknown): boolean {
  return isAppError(error) && error.code === 'REGISTRY_BUSY';
}

function lostLock() {
  return unavailable('GATE_LOST', 'the registry could not be kept closed: writes may come again');
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
    lost.abort(lostLock());
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
