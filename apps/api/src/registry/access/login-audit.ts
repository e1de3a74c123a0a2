/** Audit events for failed logins on `/v2`, as on the login page. */
import { isAppError } from '@portcullis/errors';
import type { Request, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';
import { auditEvent, type PublishAudit } from '../../http/audit.ts';
import { ociError } from '../errors.ts';
import { credentialOf } from './authenticate.ts';

interface RefusedRequest {
  request: Request;
  response: Response;
  authorization: string | undefined;
  error: unknown;
}

export type RecordFailedLogin = (refused: RefusedRequest) => Promise<void>;

const MINUTE_MS = 60_000;
/**
 * Per address and minute: above the limit of wrong passwords, and low enough not to displace other
 * events.
 */
const MAX_EVENTS_PER_MINUTE = 60;
const MOST_ADDRESSES = 10_000;

export function createFailedLoginRecorder(publish: PublishAudit | undefined): RecordFailedLogin {
  const counts = new LRUCache<string, number>({
    max: MOST_ADDRESSES,
    ttl: MINUTE_MS,
    noUpdateTTL: true,
  });

  function isTooMany(clientIp: string): boolean {
    const address = ipKeyGenerator(clientIp);
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    return count > MAX_EVENTS_PER_MINUTE;
  }

  /** An expired token is no failed login: clients send it until they get a 401. */
  return async ({ request, response, authorization, error }) => {
    const name = nameIn(authorization);
    if (!publish || name === null || !isAppError(error)) return;
    if (error.kind !== 'unauthenticated' && error.code !== 'LOGIN_THROTTLED') return;
    if (isTooMany(request.ip ?? '')) return;
    const { status } = ociError(error);
    const actor = { id: null, name, auth: 'none' } as const;
    const notes = { actor, resource: null, detail: { code: error.code } };
    const done = { event: 'auth.login', action: 'login' } as const;
    await publish(auditEvent(request, response, { ...done, status, principal: null, notes }));
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
