/** Declares signing in, signing out, and what an account may do. */
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@portcullis/domain';
import { z } from 'zod';
import { Uuid } from '../common.ts';
import type { Contract } from '../operation.ts';

export const AuthSource = z.enum(['local', 'oidc', 'robot']);

export const CurrentUser = z.strictObject({
  id: Uuid,
  username: z.string(),
  is_admin: z.boolean(),
  can_bypass_vuln_block: z.boolean(),
  auth_source: AuthSource,
  must_change_password: z.boolean(),
  groups: z.array(z.strictObject({ id: Uuid, name: z.string() })),
  /**
   * Whether any folder grants the right, for `push` one that is no mirror; an administrator has all
   * rights.
   */
  capabilities: z.strictObject({
    pull_external: z.boolean(),
    push_external: z.boolean(),
    push: z.boolean(),
  }),
});
export type CurrentUser = z.infer<typeof CurrentUser>;

const AccountNames = z.strictObject({
  /** Usernames of enabled accounts; the first five. */
  names: z.array(z.string()),
  total: z.number().int(),
});

/** Other accounts of people than the caller's. */
export const Contacts = z.strictObject({
  /** They grant permissions. */
  administrators: AccountNames,
  /** They approve waivers; the administrators are among them. */
  reviewers: AccountNames,
});
export type Contacts = z.infer<typeof Contacts>;

export const Credentials = z
  .strictObject({ username: z.string().min(1).max(255), password: z.string().min(1).max(1024) })
  .meta({ examples: [{ username: 'ada', password: 'correct horse battery staple' }] });

export const NewPassword = z.string().min(SHORTEST_PASSWORD).max(LONGEST_PASSWORD);

export const PasswordChange = z.strictObject({
  current_password: z.string().min(1).max(1024),
  new_password: NewPassword,
});

export const Login = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number().int(),
  user: CurrentUser,
});
export type Login = z.infer<typeof Login>;

export const auth = {
  login: {
    method: 'post',
    path: '/auth/login',
    summary: 'Log in with a local account',
    access: 'public',
    audit: 'auth.login',
    body: Credentials,
    success: { status: 200, body: Login },
    faults: [
      { status: 401, codes: ['LOGIN_FAILED'] },
      { status: 403, codes: ['ACCOUNT_DISABLED', 'OIDC_ONLY'] },
      { status: 429, codes: ['LOGIN_THROTTLED', 'LOGINS_BUSY'] },
      { status: 503, codes: ['PASSWORDS_UNAVAILABLE'] },
    ],
  },
  logout: {
    method: 'post',
    path: '/auth/logout',
    summary: 'Log out: the session ends on the server',
    access: 'user',
    beforePasswordChange: true,
    audit: 'auth.logout',
    success: { status: 204 },
  },
  me: {
    method: 'get',
    path: '/auth/me',
    summary: 'The calling account',
    access: 'user',
    token: 'any',
    beforePasswordChange: true,
    success: { status: 200, body: CurrentUser },
  },
  session: {
    method: 'get',
    path: '/auth/session',
    summary: 'The calling account, or null without a valid credential',
    access: 'public',
    success: { status: 200, body: z.strictObject({ user: CurrentUser.nullable() }) },
  },
  listContacts: {
    method: 'get',
    path: '/auth/contacts',
    summary: 'Whom the caller asks for permissions and for the approval of waivers',
    access: 'user',
    query: z.strictObject({
      folder: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .describe(
          'Only reviewers that may approve waivers of this folder. One on which the caller has no permission is answered as an unknown one.',
        ),
    }),
    success: { status: 200, body: Contacts },
  },
  changePassword: {
    method: 'post',
    path: '/auth/me/password',
    summary: 'Change your own password; all other sessions end',
    access: 'user',
    beforePasswordChange: true,
    audit: 'auth.password',
    body: PasswordChange,
    success: { status: 204 },
    faults: [
      { status: 403, codes: ['PASSWORD_WRONG'] },
      { status: 409, codes: ['PASSWORD_NOT_LOCAL'] },
      { status: 422, codes: ['PASSWORD_UNCHANGED'] },
      { status: 429, codes: ['LOGIN_THROTTLED'] },
    ],
  },
} as const satisfies Contract;
