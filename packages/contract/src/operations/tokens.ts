/**
 * Personal access tokens, for the REST API, as the password on `/v2`, or both, and limited to
 * folders and actions where that is wanted.
 */
import { TOKEN_ACTIONS } from '@portcullis/domain';
import { z } from 'zod';
import { Time, Uuid } from '../common.ts';
import { rule } from '../field-faults.ts';
import type { Contract } from '../operation.ts';
import { NONBLANK } from '../patterns.ts';

const MOST_FOLDERS = 200;

export const TokenLimits = z
  .strictObject({
    /** Names of folders; `all` includes folders that are created later. */
    folders: z
      .union([z.literal('all'), z.array(z.string().min(1).max(128)).min(1).max(MOST_FOLDERS)])
      .default('all'),
    /** `all` includes administration. */
    actions: z.union([z.literal('all'), z.array(z.enum(TOKEN_ACTIONS)).min(1)]).default('all'),
    /** Whether this API accepts the token. */
    api: z.boolean().default(false),
    /** Whether `/v2` accepts the token. */
    registry: z.boolean().default(false),
  })
  .refine(
    ({ api, registry }) => api || registry,
    rule('TOKEN_SCOPE_EMPTY', 'Nothing accepts such a token: set api, registry or both.'),
  )
  .refine(
    ({ actions }) => actions === 'all' || !actions.includes('delete') || actions.includes('push'),
    rule('TOKEN_DELETE_ALONE', 'The action delete also needs the action push.'),
  );

/** `api`: everything on this API. `docker`: everything on `/v2`. */
export const TokenScope = z.union([z.enum(['api', 'docker']), TokenLimits]);
export type TokenScope = z.infer<typeof TokenScope>;

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
