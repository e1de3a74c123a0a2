/** Mutual exclusion between processes: a lease in Redis that its holder renews. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from '@portcullis/runtime';

export interface TurnOptions {
  redis: Redis;
  key: string;
  holder: string;
  stopped: AbortSignal;
  /** Time after which a silent holder counts as dead. */
  leaseMs?: number;
}

const LEASE_MS = 4_000;

const RENEW = `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0`;
const RELEASE = `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0`;

/**
 * Runs `work` while this process holds the lease; the signal is aborted when it is lost or on stop.
 */
export async function takeTurns(
  { redis, key, holder, stopped, leaseMs = LEASE_MS }: TurnOptions,
  work: (turn: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!stopped.aborted) {
    const taken = await redis.set(key, holder, 'PX', leaseMs, 'NX').catch(() => null);
    if (taken !== 'OK') {
      await pause(leaseMs / 8, undefined, { signal: stopped }).catch(() => {});
      continue;
    }
    const lost = new AbortController();
    const timer = setInterval(() => void renew(lost), leaseMs / 4);
    try {
      await work(AbortSignal.any([stopped, lost.signal]));
    } finally {
      clearInterval(timer);
      await redis.eval(RELEASE, 1, key, holder).catch(() => 0);
    }
  }

  /** A fault doesn't mean that the lease is lost; the next reply shows it. */
  async function renew(lost: AbortController): Promise<void> {
    const kept = await redis.eval(RENEW, 1, key, holder, leaseMs).catch(() => 1);
    if (kept !== 1) lost.abort();
  }
}
