/**
 * Stores the id_token of a login as long as its session: with this hint the provider logs out
 * without a confirmation.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Redis, type Sealer, withRedis } from '@portcullis/runtime';

export interface LogoutHints {
  /** Returns the ticket that the browser presents at logout. */
  keep(idToken: string, seconds: number): Promise<string>;
  take(ticket: string | null): Promise<string | null>;
}

const PREFIX = 'portcullis:oidc:logout:';
const FAULT = 'REDIS_UNAVAILABLE';

export function createLogoutHints(redis: Redis, sealer: Sealer): LogoutHints {
  return {
    async keep(idToken, seconds) {
      const ticket = randomBytes(32).toString('base64url');
      await withRedis(FAULT, () => redis.set(keyOf(ticket), sealer.seal(idToken), 'EX', seconds));
      return ticket;
    },
    async take(ticket) {
      const sealed = ticket && (await withRedis(FAULT, () => redis.getdel(keyOf(ticket))));
      return sealed ? sealer.open(sealed) : null;
    },
  };
}

function keyOf(ticket: string): string {
  return PREFIX + createHash('sha256').update(ticket).digest('base64url');
}
