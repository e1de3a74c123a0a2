/**
 * Claims in Redis that exclude each other for the duration of a write to the registry, which has no
 * conditional writes. Holders of a key with the same purpose share it. A claim has a lease, so that
 * dead processes hold nothing.
 */
import { randomUUID } from 'node:crypto';
import { type Redis, withRedis } from '@portcullis/runtime';
import { NOW, REDIS } from '../garbage/lock-keys.ts';

interface TagClaim {
  release(): Promise<void>;
  /** Keeps the key until the lease ends: a write without an answer may still arrive. */
  abandon(): void;
}

export interface TagClaims {
  /**
   * @param purpose a digest or a word, without blanks
   * @returns null while the key is held for another purpose
   * @throws unavailable `REDIS_UNAVAILABLE`
   */
  claim(key: string, purpose: string): Promise<TagClaim | null>;
}

const PREFIX = 'portcullis:tag-claims:';
const LEASE_MS = 30_000;
const RENEWED_MS = 5_000;

const CLAIM = `${NOW}
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  local same = ARGV[1] .. ' '
  for _, holder in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    if string.sub(holder, 1, #same) ~= same then return 0 end
  end
  redis.call('ZADD', KEYS[1], now + ARGV[3], same .. ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`;
const STAY = `${NOW}
  redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

export function createTagClaims(redis: Redis, { leaseMs = LEASE_MS } = {}): TagClaims {
  return {
    async claim(name, purpose) {
      const key = PREFIX + name;
      const token = randomUUID();
      const taken = await withRedis(REDIS, () =>
        redis.eval(CLAIM, 1, key, purpose, token, leaseMs),
      );
      if (taken !== 1) return null;
      const holder = `${purpose} ${token}`;
      const timer = setInterval(() => {
        void redis.eval(STAY, 1, key, holder, leaseMs).catch(() => {});
      }, RENEWED_MS);
      return {
        async release() {
          clearInterval(timer);
          // A holder that is left behind expires.
          await redis.zrem(key, holder).catch(() => {});
        },
        abandon: () => clearInterval(timer),
      };
    },
  };
}
