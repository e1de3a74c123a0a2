/**
 * Pending logins, stored in Redis for ten minutes, for a single use by the browser that started
 * them.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Redis, type Sealer, withRedis } from '@portcullis/runtime';

export interface Flow {
  nonce: string;
  verifier: string;
  /** The page that the browser requested. */
  next: string;
  redirectUri: string;
  /** The issuer at the start of the login. */
  issuer: string;
  clientId: string;
}

export interface Flows {
  /** Returns the secret for the browser's cookie. */
  begin(state: string, flow: Flow): Promise<string>;
  /** Reads and deletes the login; null if it is unknown, used, expired or another browser's. */
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
