/**
 * Names and passwords that did not hold on `/v2` → audit events, as those of the login page are.
 */
import { isAppError } from '@portcullis/errors';
import type { Request, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';
import { auditEvent, type PublishAudit } from '../../http/audit.ts';
import { ociError } from '../errors.ts';
import { credentialOf } from './authenticate.ts';

interface Guess {
  request: Request;
  response: Response;
  authorization: string | undefined;
  error: unknown;
}

export type TellOfGuess = (guess: Guess) => Promise<void>;

const MINUTE_MS = 60_000;
/**
 * Of one address in a minute: more than the guesses it has, and no way to drown everybody else's
 * events.
 */
const MOST_TOLD = 60;
const MOST_ADDRESSES = 10_000;

export function createTellOfGuess(publish: PublishAudit | undefined): TellOfGuess {
  const told = new LRUCache<string, number>({
    max: MOST_ADDRESSES,
    ttl: MINUTE_MS,
    noUpdateTTL: true,
  });

  function isTooMany(clientIp: string): boolean {
    const address = ipKeyGenerator(clientIp);
    const count = (told.get(address) ?? 0) + 1;
    told.set(address, count);
    return count > MOST_TOLD;
  }

  /** A token that has run out is no guess: clients send theirs until they are told. */
  return async ({ request, response, authorization, error }) => {
    const name = nameIn(authorization);
    if (!publish || name === null || !isAppError(error)) return;
    if (error.kind !== 'unauthenticated' && error.code !== 'LOGIN_THROTTLED') return;
    if (isTooMany(request.ip ?? '')) return;
    const { status } = ociError(error);
    const actor = { id: null, name, auth: 'none' } as const;
    const notes = { actor, resource: null, detail: { code: error.code } };
    const audited = { event: 'auth.login', action: 'login', status, principal: null, notes };
    await publish(auditEvent(request, response, audited));
  };
}

function nameIn(authorization: string | undefined): string | null {
  try {
    const credential = credentialOf(authorization);
    return credential?.kind === 'basic' ? credential.username.slice(0, 255) : null;
  } catch {
    return null; // neither a name nor a password
  }
}
