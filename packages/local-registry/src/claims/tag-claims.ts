/**
 * Claims in Redis that exclude each other for the duration of a write to the registry, which has no
 * conditional writes. Holders of a key with the same purpose share it. A claim has a lease, so that
 * dead processes hold nothing.
 */
import { randomUUID } from 'node:crypto';
import { type Redis, withRedis } from '@portcullis/runtime';
import { NOW, REDIS } from '../garbage/lock-keys.ts';
import { EXPIRE, type HeldMember, heldMember, LEASE_MS } from './held-member.ts';

export interface TagClaims {
  /**
   * @param purpose a digest or a word, without blanks
   * @returns null while the key is held for another purpose
   * @throws unavailable `REDIS_UNAVAILABLE`
   */
  claim(key: string, purpose: string): Promise<HeldMember | null>;
}

const PREFIX = 'portcullis:tag-claims:';

const CLAIM = `${NOW}
  ${EXPIRE}
  local same = ARGV[1] .. ' '
  for _, holder in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    if string.sub(holder, 1, #same) ~= same then return 0 end
  end
  redis.call('ZADD', KEYS[1], now + ARGV[3], same .. ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`;

export function createTagClaims(redis: Redis, { leaseMs = LEASE_MS } = {}): TagClaims {
  return {
    async claim(name, purpose) {
      const key = PREFIX + name;
      const token = randomUUID();
      const taken = await withRedis(REDIS, () =>
        redis.eval(CLAIM, 1, key, purpose, token, leaseMs),
      );
      if (taken !== 1) return null;
      return heldMember(redis, { key, member: `${purpose} ${token}`, leaseMs });
    },
  };
}
