/**
 * Logins under way: kept in Redis, for ten minutes, for one use, and for the browser that began.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Redis, type Sealer, withRedis } from '@portcullis/runtime';

export interface Flow {
  nonce: string;
  verifier: string;
  /** Where the browser wanted to go. */
  next: string;
  redirectUri: string;
  /** Of the provider it was begun with. */
  issuer: string;
  clientId: string;
}

export interface Flows {
  /** Returns what the browser has to bring along. */
  begin(state: string, flow: Flow): Promise<string>;
  /** Takes it out; null for an unknown, used, old or another browser's one. */
  take(state: string, browser: string): Promise<Flow | null>;
}

export const FLOW_SECONDS = 600;
const PREFIX = 'portcullis:oidc:flow:';
const FAULT = 'REDIS_UNAVAILABLE';

export function createFlows(redis: Redis, sealer: Sealer): Flows {
  return {
    async begin(state, flow) {
      const browser = randomBytes(32).toString('base64url');
      const sealed = sealer.seal(JSON.stringify({ ...flow, browser: digest(browser) }));
      await withRedis(FAULT, () => redis.set(keyOf(state), sealed, 'EX', FLOW_SECONDS, 'NX'));
      return browser;
    },
    async take(state, browser) {
      const sealed = await withRedis(FAULT, () => redis.getdel(keyOf(state)));
      if (sealed === null) return null;
      const { browser: expected, ...flow }: Flow & { browser: string } = JSON.parse(
        sealer.open(sealed),
      );
      return timingSafeEqual(Buffer.from(digest(browser)), Buffer.from(expected)) ? flow : null;
    },
  };
}

function keyOf(state: string): string {
  return PREFIX + digest(state);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
