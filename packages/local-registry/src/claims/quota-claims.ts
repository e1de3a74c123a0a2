/**
 * Bytes in Redis that running pushes are about to add to a folder with a quota, so that pushes at
 * the same time don't fit one by one and exceed it together. A claim has a lease, so that dead
 * processes hold nothing.
 */
import { randomUUID } from 'node:crypto';
import { type Redis, withRedis } from '@portcullis/runtime';
import { NOW, REDIS } from '../garbage/lock-keys.ts';

interface QuotaClaim {
  /** What claims of the folder hold that were made earlier. */
  earlier: number;
  release(): Promise<void>;
}

export interface QuotaClaims {
  /** @throws unavailable `REDIS_UNAVAILABLE` */
  claim(folder: string, bytes: number): Promise<QuotaClaim>;
}

const PREFIX = 'portcullis:quota-claims:';
const LEASE_MS = 30_000;
const RENEWED_MS = 5_000;

/** Members are the bytes and a token; the sum is returned as text, which is exact. */
const CLAIM = `${NOW}
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  local earlier = 0
  for _, holder in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    earlier = earlier + tonumber(string.match(holder, '^%d+'))
  end
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return string.format('%.0f', earlier)`;
const STAY = `${NOW}
  redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

export function createQuotaClaims(redis: Redis, { leaseMs = LEASE_MS } = {}): QuotaClaims {
  return {
    async claim(folder, bytes) {
      const key = PREFIX + folder;
      const holder = `${bytes} ${randomUUID()}`;
      const earlier = await withRedis(REDIS, () => redis.eval(CLAIM, 1, key, holder, leaseMs));
      const timer = setInterval(() => {
        void redis.eval(STAY, 1, key, holder, leaseMs).catch(() => {});
      }, RENEWED_MS);
      return {
        earlier: Number(earlier),
        async release() {
          clearInterval(timer);
          // A holder that is left behind expires.
          await redis.zrem(key, holder).catch(() => {});
        },
      };
    },
  };
}
