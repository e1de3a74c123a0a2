/**
 * The connections of a process to one Redis. When one of them turns out to be with a server that
 * takes no writes any more, as after a failover, all of them are opened again: the address may lead
 * to the new primary, and a subscription would never notice.
 */
import type { Redis } from 'ioredis';

export interface RedisFamily {
  add(redis: Redis): void;
  /** For ioredis: whether the connection that got this error has to be opened again. */
  isOutdated(error: Error): boolean;
}

/**
 * The codes of error replies (RESP § Simple errors) of a server that was demoted, is cut off, or
 * has forgotten the login. A script passes on the reply of its command.
 */
const OUTDATED =
  /(?:^|[ -])(?:READONLY|UNBLOCKED|MASTERDOWN|NOREPLICAS|LOADING|CLUSTERDOWN|NOAUTH)(?: |$)/;

/** A server that stays a replica must not make us connect without a pause. */
const REST_MS = 1_000;

export function redisFamily(now: () => number = () => performance.now()): RedisFamily {
  const members = new Set<Pick<Redis, 'status' | 'disconnect'>>();
  let restsUntil = 0;

  function reconnect(): void {
    if (now() < restsUntil) return;
    restsUntil = now() + REST_MS;
    // After the replies that arrived together with this one.
    setImmediate(() => {
      for (const redis of members) if (redis.status === 'ready') redis.disconnect(true);
    });
  }

  return {
    add(redis) {
      members.add(redis);
      redis.once('end', () => members.delete(redis));
    },
    isOutdated(error) {
      if (!OUTDATED.test(error.message)) return false;
      reconnect();
      return true;
    },
  };
}
