/**
 * Bytes in Redis that running pushes are about to add to a folder with a quota, so that pushes at
 * the same time don't fit one by one and exceed it together. A claim has a lease, so that dead
 * processes hold nothing.
 */
import { randomUUID } from 'node:crypto';
import { type Redis, withRedis } from '@portcullis/runtime';
import { NOW, REDIS } from '../garbage/lock-keys.ts';
import { EXPIRE, type HeldMember, heldMember, LEASE_MS } from './held-member.ts';

interface QuotaClaim extends Pick<HeldMember, 'release'> {
  /** What claims of the folder hold that were made earlier. */
  earlier: number;
}

export interface QuotaClaims {
  /** @throws unavailable `REDIS_UNAVAILABLE` */
  claim(folder: string, bytes: number): Promise<QuotaClaim>;
}

const PREFIX = 'portcullis:quota-claims:';

/** Members are the bytes and a token; the sum is returned as text, which is exact. */
const CLAIM = `${NOW}
  ${EXPIRE}
  local earlier = 0
  for _, holder in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    earlier = earlier + tonumber(string.match(holder, '^%d+'))
  end
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return string.format('%.0f', earlier)`;

export function createQuotaClaims(redis: Redis, { leaseMs = LEASE_MS } = {}): QuotaClaims {
  return {
    async claim(folder, bytes) {
      const key = PREFIX + folder;
      const holder = `${bytes} ${randomUUID()}`;
      const earlier = await withRedis(REDIS, () => redis.eval(CLAIM, 1, key, holder, leaseMs));
      const { release } = heldMember(redis, { key, member: holder, leaseMs });
      return { earlier: Number(earlier), release };
    },
  };
}
