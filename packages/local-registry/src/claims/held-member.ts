/**
 * A member of a sorted set in Redis, whose score is the end of its lease. The lease is renewed
 * until the member is released, so that dead processes hold nothing.
 */
import type { Redis } from '@portcullis/runtime';
import { NOW } from '../garbage/lock-keys.ts';

export interface HeldMember {
  release(): Promise<void>;
  /** Keeps the member until its lease ends. */
  abandon(): void;
}

export const LEASE_MS = 30_000;
const RENEWED_MS = 5_000;

/** Lua for the scripts that add members: removes those whose lease has ended from the first key. */
export const EXPIRE = `redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)`;
const RENEW = `${NOW}
  redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

/** Renews the lease of a member that was just added. */
export function heldMember(
  redis: Redis,
  { key, member, leaseMs }: { key: string; member: string; leaseMs: number },
): HeldMember {
  const timer = setInterval(() => {
    void redis.eval(RENEW, 1, key, member, leaseMs).catch(() => {});
  }, RENEWED_MS);
  return {
    async release() {
      clearInterval(timer);
      // A member that is left behind expires.
      await redis.zrem(key, member).catch(() => {});
    },
    abandon: () => clearInterval(timer),
  };
}
