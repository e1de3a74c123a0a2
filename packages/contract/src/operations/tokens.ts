/** Personal access tokens: `api` for this API, `docker` as the password on `/v2`. */
import { z } from 'zod';
import { Time, Uuid } from '../common.ts';
import type { Contract } from '../operation.ts';
import { NONBLANK } from '../patterns.ts';

export const TokenScope = z.enum(['api', 'docker']);

export const PersonalToken = z.strictObject({
  id: Uuid,
  name: z.string(),
  scope: TokenScope,
  created_at: Time,
  expires_at: Time,
  /** Precise to the minute. */
  last_used_at: Time.nullable(),
  /** The first and last characters of the token. */
  hint: z.string(),
});
export type PersonalToken = z.infer<typeof PersonalToken>;

/** The token itself is shown in this reply only. */
export const MadeToken = PersonalToken.extend({ token: z.string() });
export type MadeToken = z.infer<typeof MadeToken>;

export const NewToken = z.strictObject({
  name: z.string().trim().min(1).max(128).meta({ pattern: NONBLANK }),
  scope: TokenScope,
  expires_in_days: z.number().int().min(1).max(365).default(90),
});
export type NewToken = z.infer<typeof NewToken>;

export const tokens = {
  list: {
    method: 'get',
    path: '/auth/tokens',
    summary: 'Your personal access tokens, newest first',
    access: 'user',
    success: { status: 200, body: z.array(PersonalToken) },
  },
  create: {
    method: 'post',
    path: '/auth/tokens',
    summary: 'Create a personal access token; it is shown only once',
    access: 'user',
    audit: 'token.create',
    body: NewToken,
    success: { status: 201, body: MadeToken },
    faults: [
      { status: 403, codes: ['SESSION_REQUIRED'] },
      { status: 409, codes: ['TOKENS_MANY'] },
    ],
  },
  remove: {
    method: 'delete',
    path: '/auth/tokens/{id}',
    summary: 'Revoke one of your tokens; an administrator may revoke any token',
    access: 'user',
    audit: 'token.revoke',
    params: z.strictObject({ id: Uuid }),
    success: { status: 204 },
    faults: [{ status: 404, codes: ['TOKEN_UNKNOWN'] }],
  },
} as const satisfies Contract;
