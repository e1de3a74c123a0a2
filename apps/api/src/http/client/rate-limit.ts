/**
 * Request rate limits by account or address, in Redis and so shared by all replicas. The limits for
 * wrong passwords are in identity/password-throttle.ts.
 */
import { createHash } from 'node:crypto';
import type { Principal } from '@portcullis/domain';
import { rateLimited } from '@portcullis/errors';
import type { Logger, Redis } from '@portcullis/runtime';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { type RedisReply, RedisStore } from 'rate-limit-redis';

const PREFIX = 'portcullis:budget:requests:';

/** Fixed windows. A command throws while Redis is unavailable. */
export function budgetStore(redis: Redis, prefix: string, windowMs: number): RedisStore {
  const store = new RedisStore({
    prefix,
    sendCommand: (command, ...rest) => send(redis, command, rest),
  });
  store.windowMs = windowMs;
  store.incrementScriptSha = store.loadIncrementScript();
  store.getScriptSha = store.loadGetScript();
  return store;
}

/**
 * The store loads its scripts once, when it is made, and would never work again if Redis was away
 * at that moment. A script's name is its SHA-1, and one that Redis doesn't have yet is loaded at
 * its first use.
 */
async function send(redis: Redis, command: string, rest: string[]): Promise<RedisReply> {
  const [verb, script] = rest;
  const sending = redis.call(command, ...rest) as Promise<RedisReply>;
  if (command !== 'SCRIPT' || verb !== 'LOAD' || script === undefined) return sending;
  return sending.catch(() => createHash('sha1').update(script).digest('hex'));
}

export interface RequestBudgets {
  redis: Redis;
  /** Null without a valid credential. */
  principal(request: Request): Promise<Principal | null>;
  perAddress: number;
  perAccount: number;
  log: Pick<Logger, 'debug' | 'warn'>;
}

const WINDOW_MS = 60_000;

/**
 * Limits all of `/api`. Each account has its own budget, so that an office behind one address or a
 * polling page does not exhaust it; requests without a valid credential share the budget of their
 * address. Without Redis nothing is limited.
 */
export function limitRequests({
  redis,
  principal,
  perAddress,
  perAccount,
  log,
}: RequestBudgets): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    store: budgetStore(redis, PREFIX, WINDOW_MS),
    passOnStoreError: true,
    logger: {
      warn: (...said) => log.warn({ said }, 'rate limit'),
      error: (...said) => log.debug({ said }, 'rate limit'),
    },
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: async (request) => ((await principal(request)) ? 'account' : 'address'),
    keyGenerator: async (request) => {
      const account = await principal(request);
      return account ? `account:${account.id}` : `address:${ipKeyGenerator(request.ip ?? '')}`;
    },
    limit: async (request) => ((await principal(request)) ? perAccount : perAddress),
    handler: (_request, response, next) => {
      const retryAfter = Number(response.getHeader('Retry-After'));
      next(rateLimited('RATE_LIMITED', 'Too many requests.', { retryAfter }));
    },
  });
}
