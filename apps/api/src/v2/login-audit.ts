/** Names and passwords that did not hold on `/v2` → audit events, as those of the login page are. */
import { isAppError } from '@portcullis/errors';
import type { Request, Response } from 'express';
import { auditEvent, type PublishAudit, publishOrLog } from '../http/audit.ts';
import { credentialOf } from './authenticate.ts';
import { ociError } from './errors.ts';

export interface Guess {
  request: Request;
  response: Response;
  authorization: string | undefined;
  error: unknown;
}

/** A token that has run out is no guess: clients send theirs until they are told. */
export async function tellOfGuess(publish: PublishAudit | undefined, guess: Guess): Promise<void> {
  const { request, response, authorization, error } = guess;
  const name = nameIn(authorization);
  if (!publish || name === null || !isAppError(error)) return;
  if (error.kind !== 'unauthenticated' && error.code !== 'LOGIN_THROTTLED') return;
  const { status } = ociError(error);
  const actor = { id: null, name, auth: 'none' } as const;
  const notes = { actor, resource: null, detail: { code: error.code } };
  const audited = { event: 'auth.login', action: 'login', status, principal: null, notes };
  await publishOrLog(publish, auditEvent(request, response, audited), response);
}

function nameIn(authorization: string | undefined): string | null {
  try {
    const credential = credentialOf(authorization);
    return credential?.kind === 'basic' ? credential.username.slice(0, 255) : null;
  } catch {
    return null; // neither a name nor a password
  }
}
