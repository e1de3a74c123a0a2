/** Accounts, managed by administrators. */
import { ACCOUNT_ORDERS } from '@portcullis/domain';
import { z } from 'zod';
import { PAGING, Time, Uuid } from '../common.ts';
import { rule } from '../field-faults.ts';
import type { Contract } from '../operation.ts';
import { USERNAME } from '../patterns.ts';
import { AuthSource, NewPassword } from './auth.ts';

export const User = z.strictObject({
  id: Uuid,
  username: z.string(),
  email: z.string().nullable(),
  is_admin: z.boolean(),
  can_bypass_vuln_block: z.boolean(),
  disabled: z.boolean(),
  must_change_password: z.boolean(),
  auth_source: AuthSource,
  created_at: Time,
  last_login_at: Time.nullable(),
});
export type User = z.infer<typeof User>;

/** A colon would end the name in a Basic credential. */
export const Username = z
  .string()
  .trim()
  .refine(
    (text) => /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,127}$/u.test(text),
    rule(
      'USERNAME_INVALID',
      '1 to 128 letters, digits and . _ @ + - are expected, with a letter or digit first.',
    ),
  )
  .meta({ pattern: USERNAME, description: 'Letters and digits of other scripts are accepted.' });

const Email = z.email().max(254).nullable();

export const NewUser = z.strictObject({
  username: Username,
  password: NewPassword,
  email: Email.default(null),
  is_admin: z.boolean().default(false),
  can_bypass_vuln_block: z.boolean().default(false),
  disabled: z.boolean().default(false),
  /** The account can do nothing else until its password is changed. */
  must_change_password: z.boolean().default(false),
});
export type NewUser = z.infer<typeof NewUser>;

export const UserChange = z
  .strictObject({
    password: NewPassword,
    email: Email,
    is_admin: z.boolean(),
    can_bypass_vuln_block: z.boolean(),
    disabled: z.boolean(),
    must_change_password: z.boolean(),
  })
  .partial();
export type UserChange = z.infer<typeof UserChange>;

export const UsersQuery = z.strictObject({
  ...PAGING,
  /** A part of the name or the e-mail address. */
  q: z.string().max(255).optional(),
  /** A minus sign means descending. Equal accounts are by name. */
  sort: z.enum(ACCOUNT_ORDERS).default('username'),
});

const UserParams = z.strictObject({ id: Uuid });
const NO_USER = { status: 404, codes: ['USER_UNKNOWN'] };

export const users = {
  list: {
    method: 'get',
    path: '/auth/users',
    summary: 'Accounts, by name unless sorted',
    access: 'admin',
    query: UsersQuery,
    success: { status: 200, body: z.array(User) },
  },
  create: {
    method: 'post',
    path: '/auth/users',
    summary: 'Create an account with a password',
    access: 'admin',
    audit: 'user.create',
    body: NewUser,
    success: { status: 201, body: User },
    faults: [{ status: 409, codes: ['USERNAME_TAKEN'] }],
  },
  get: {
    method: 'get',
    path: '/auth/users/{id}',
    summary: 'One account',
    access: 'admin',
    params: UserParams,
    success: { status: 200, body: User },
    faults: [NO_USER],
  },
  update: {
    method: 'patch',
    path: '/auth/users/{id}',
    summary: 'Change an account; a new password, or disabling it, ends its sessions',
    access: 'admin',
    audit: 'user.update',
    params: UserParams,
    body: UserChange,
    success: { status: 200, body: User },
    faults: [NO_USER, { status: 409, codes: ['LAST_ADMIN', 'PASSWORD_NOT_LOCAL'] }],
  },
  remove: {
    method: 'delete',
    path: '/auth/users/{id}',
    summary:
      'Delete an account with its sessions, tokens, registries and staging jobs; running jobs are cancelled',
    access: 'admin',
    audit: 'user.delete',
    params: UserParams,
    success: { status: 204 },
    faults: [NO_USER, { status: 409, codes: ['LAST_ADMIN'] }],
  },
} as const satisfies Contract;
