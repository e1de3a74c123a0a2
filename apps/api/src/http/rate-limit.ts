/** Budgets by name, shared by all replicas: fixed windows in Redis. */
import { rateLimited, unavailable } from '@portcullis/errors';
import type { Redis } from '@portcullis/runtime';
import type { RequestHandler } from 'express';

export interface Budget {
  /** Requests, or failures, in one window. */
  limit: number;
  windowSeconds: number;
}

export interface Counter {
  /** Counts one more. */
  add(key: string): Promise<Count>;
  /** How it stands, without counting. */
  peek(key: string): Promise<Count>;
  reset(key: string): Promise<void>;
}

export interface Count {
  used: number;
  /** Until the window ends. */
  seconds: number;
}

const PREFIX = 'portcullis:budget:';

/** @throws unavailable `REDIS_UNAVAILABLE` */
export function createCounter(redis: Redis, windowSeconds: number): Counter {
  return {
    async add(key) {
      const [[, used], , [, seconds]] = await run(
        redis
          .multi()
          .incr(PREFIX + key)
          .expire(PREFIX + key, windowSeconds, 'NX')
          .ttl(PREFIX + key),
      );
      return { used: Number(used), seconds: Math.max(1, Number(seconds)) };
    },
    async peek(key) {
      const [[, used], [, seconds]] = await run(
        redis
          .multi()
          .get(PREFIX + key)
          .ttl(PREFIX + key),
      );
      return { used: Number(used ?? 0), seconds: Math.max(1, Number(seconds)) };
    },
    async reset(key) {
      await redis.del(PREFIX + key).catch(away);
    },
  };
}

type Replies = [[unknown, unknown], [unknown, unknown], [unknown, unknown]];

async function run(pipeline: ReturnType<Redis['multi']>): Promise<Replies> {
  const replies = (await pipeline.exec().catch(away)) ?? [];
  const at = (index: number): [unknown, unknown] => replies[index] ?? [null, null];
  return [at(0), at(1), at(2)];
}

function away(cause: unknown): never {
  throw unavailable('REDIS_UNAVAILABLE', 'redis can not be reached', { cause, retryAfter: 5 });
}

/** All of `/api`, by address. Without Redis nobody is held back: this budget protects comfort, not accounts. */
export function rateLimit(redis: Redis, budget: Budget): RequestHandler {
  const counter = createCounter(redis, budget.windowSeconds);
  return async (request, response, next) => {
    const count = await counter.add(`api:${request.ip}`).catch(() => null);
    if (!count) return next();
    response.setHeader('X-RateLimit-Limit', String(budget.limit));
    response.setHeader('X-RateLimit-Remaining', String(Math.max(0, budget.limit - count.used)));
    if (count.used <= budget.limit) return next();
    next(rateLimited('RATE_LIMITED', 'Too many requests from this address.', { retryAfter: count.seconds }));
  };
}
