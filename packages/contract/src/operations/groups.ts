/** Declares groups and their members. */
import { z } from 'zod';
import { PAGING, Time, Uuid } from '../common.ts';
import { rule } from '../field-faults.ts';
import { Username } from '../grammar.ts';
import type { Contract } from '../operation.ts';
import { isOneLine, NONBLANK_LINE } from '../patterns.ts';

export const Group = z.strictObject({
  id: Uuid,
  name: z.string(),
  description: z.string(),
  created_at: Time,
  members: z.array(z.strictObject({ id: Uuid, username: z.string() })),
});
export type Group = z.infer<typeof Group>;

const GroupName = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .refine(isOneLine, rule('NOT_ONE_LINE', 'One line of text is expected.'))
  .meta({ pattern: NONBLANK_LINE });
export const Description = z.string().trim().max(1000);

export const NewGroup = z.strictObject({ name: GroupName, description: Description.optional() });
export const GroupChange = z.strictObject({
  name: GroupName.optional(),
  description: Description.optional(),
});

/** Exactly one of name and id. */
export const NewMember = z
  .strictObject({ username: Username.optional(), user_id: Uuid.optional() })
  .refine(
    ({ username, user_id }) => (username === undefined) !== (user_id === undefined),
    rule('ACCOUNT_AMBIGUOUS', 'Give either username or user_id.'),
  );
export type NewMember = z.infer<typeof NewMember>;

const GroupParams = z.strictObject({ id: Uuid });
const NO_GROUP = { status: 404, codes: ['GROUP_UNKNOWN'] };
const TAKEN = { status: 409, codes: ['GROUP_NAME_TAKEN'] };

export const groups = {
  listGroups: {
    method: 'get',
    path: '/groups',
    summary: 'All groups with their members, by name',
    access: 'admin',
    query: z.strictObject(PAGING),
    success: { status: 200, body: z.array(Group) },
  },
  createGroup: {
    method: 'post',
    path: '/groups',
    summary: 'Create a group; names are case-insensitive',
    access: 'admin',
    audit: 'group.create',
    body: NewGroup,
    success: { status: 201, body: Group },
    faults: [TAKEN],
  },
  getGroup: {
    method: 'get',
    path: '/groups/{id}',
    summary: 'One group',
    access: 'admin',
    params: GroupParams,
    success: { status: 200, body: Group },
    faults: [NO_GROUP],
  },
  updateGroup: {
    method: 'patch',
    path: '/groups/{id}',
    summary: 'Change the name or description of a group',
    access: 'admin',
    audit: 'group.update',
    params: GroupParams,
    body: GroupChange,
    success: { status: 200, body: Group },
    faults: [NO_GROUP, TAKEN],
  },
  removeGroup: {
    method: 'delete',
    path: '/groups/{id}',
    summary: 'Delete a group; its grants end at once',
    access: 'admin',
    audit: 'group.delete',
    params: GroupParams,
    success: { status: 204 },
    faults: [NO_GROUP],
  },
  addMember: {
    method: 'put',
    path: '/groups/{id}/members',
    summary: 'Add an account to a group; repeating it changes nothing',
    access: 'admin',
    audit: 'group.add_member',
    params: GroupParams,
    body: NewMember,
    success: { status: 200, body: Group },
    faults: [{ status: 404, codes: ['GROUP_UNKNOWN', 'USER_UNKNOWN'] }],
  },
  removeMember: {
    method: 'delete',
    path: '/groups/{id}/members/{user_id}',
    summary: 'Remove an account from a group; the rights from this group end at once',
    access: 'admin',
    audit: 'group.remove_member',
    params: z.strictObject({ id: Uuid, user_id: Uuid }),
    success: { status: 204 },
    faults: [{ status: 404, codes: ['GROUP_UNKNOWN', 'MEMBER_UNKNOWN'] }],
  },
} as const satisfies Contract;
