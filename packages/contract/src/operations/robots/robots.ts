/** Robots: machine accounts without a password, with tokens of limited scopes. */
import { MOST_OVERLAP_HOURS } from '@portcullis/domain';
import { z } from 'zod';
import { PAGING, Time, Uuid } from '../../common.ts';
import type { Contract } from '../../operation.ts';
import { Description } from '../groups.ts';
import { MadeToken, NewToken, PersonalToken } from '../tokens.ts';
import { Username } from '../users.ts';

const NamedGroup = z.strictObject({ id: Uuid, name: z.string() });

export const Robot = z.strictObject({
  id: Uuid,
  name: z.string(),
  description: z.string(),
  /** The group whose members manage its tokens; null: administrators alone. */
  owner: NamedGroup.nullable(),
  /** The groups whose rights it has. */
  groups: z.array(NamedGroup),
  can_bypass_vuln_block: z.boolean(),
  disabled: z.boolean(),
  /** Tokens that have not expired; those that were given for identity tokens do not count. */
  tokens: z.number().int(),
  last_used_at: Time.nullable(),
  created_by: z.string(),
  created_at: Time,
  /** Whether the caller may create, rotate and revoke its tokens. */
  manageable: z.boolean(),
});
export type Robot = z.infer<typeof Robot>;

const FIELDS = {
  description: Description,
  owner_group_id: Uuid.nullable(),
  group_ids: z.array(Uuid).max(50),
  can_bypass_vuln_block: z.boolean(),
};

export const NewRobot = z.strictObject({
  name: Username,
  description: FIELDS.description.default(''),
  owner_group_id: FIELDS.owner_group_id.default(null),
  /** By default the owning group. */
  group_ids: FIELDS.group_ids.optional(),
  can_bypass_vuln_block: FIELDS.can_bypass_vuln_block.default(false),
});
export type NewRobot = z.infer<typeof NewRobot>;

export const RobotChange = z.strictObject({ ...FIELDS, disabled: z.boolean() }).partial();
export type RobotChange = z.infer<typeof RobotChange>;

export const Rotation = z.strictObject({
  /** How long the former secret stays valid. */
  overlap_hours: z.number().int().min(0).max(MOST_OVERLAP_HOURS).default(24),
});

const RobotParams = z.strictObject({ id: Uuid });
const TokenParams = z.strictObject({ id: Uuid, token_id: Uuid });
const NO_ROBOT = { status: 404, codes: ['ROBOT_UNKNOWN'] };
const NO_TOKEN = { status: 404, codes: ['ROBOT_UNKNOWN', 'TOKEN_UNKNOWN'] };
const NOT_YOURS = { status: 403, codes: ['ROBOT_FORBIDDEN', 'SESSION_REQUIRED'] };

export const robots = {
  list: {
    method: 'get',
    path: '/robots',
    summary: 'Robots of your groups, by name; for administrators all robots',
    access: 'user',
    query: z.strictObject(PAGING),
    success: { status: 200, body: z.array(Robot) },
  },
  create: {
    method: 'post',
    path: '/robots',
    summary: 'Create a robot: a machine account that has tokens only',
    access: 'admin',
    audit: 'robot.create',
    body: NewRobot,
    success: { status: 201, body: Robot },
    faults: [
      { status: 404, codes: ['GROUP_UNKNOWN'] },
      { status: 409, codes: ['USERNAME_TAKEN', 'ROBOTS_MANY'] },
    ],
  },
  get: {
    method: 'get',
    path: '/robots/{id}',
    summary: 'One robot',
    access: 'user',
    params: RobotParams,
    success: { status: 200, body: Robot },
    faults: [NO_ROBOT],
  },
  update: {
    method: 'patch',
    path: '/robots/{id}',
    summary: 'Change a robot; disabling it ends its tokens at once',
    access: 'admin',
    audit: 'robot.update',
    params: RobotParams,
    body: RobotChange,
    success: { status: 200, body: Robot },
    faults: [{ status: 404, codes: ['ROBOT_UNKNOWN', 'GROUP_UNKNOWN'] }],
  },
  remove: {
    method: 'delete',
    path: '/robots/{id}',
    summary: 'Delete a robot with its tokens, trust rules and staging jobs',
    access: 'admin',
    audit: 'robot.delete',
    params: RobotParams,
    success: { status: 204 },
    faults: [NO_ROBOT],
  },
  listTokens: {
    method: 'get',
    path: '/robots/{id}/tokens',
    summary: 'The tokens of a robot, newest first',
    access: 'user',
    params: RobotParams,
    success: { status: 200, body: z.array(PersonalToken) },
    faults: [NO_ROBOT],
  },
  createToken: {
    method: 'post',
    path: '/robots/{id}/tokens',
    summary: 'Create a token of a robot; it is shown only once',
    access: 'user',
    audit: 'robot.token_create',
    params: RobotParams,
    body: NewToken,
    success: { status: 201, body: MadeToken },
    faults: [NO_ROBOT, NOT_YOURS, { status: 409, codes: ['TOKENS_MANY'] }],
  },
  rotateToken: {
    method: 'post',
    path: '/robots/{id}/tokens/{token_id}/rotate',
    summary: 'Replace a token by a new one of the same scope; the former stays valid for a while',
    access: 'user',
    audit: 'robot.token_rotate',
    params: TokenParams,
    body: Rotation,
    success: { status: 201, body: MadeToken },
    faults: [NO_TOKEN, NOT_YOURS, { status: 409, codes: ['TOKENS_MANY'] }],
  },
  removeToken: {
    method: 'delete',
    path: '/robots/{id}/tokens/{token_id}',
    summary: 'Revoke a token of a robot at once',
    access: 'user',
    audit: 'robot.token_revoke',
    params: TokenParams,
    success: { status: 204 },
    faults: [NO_TOKEN, NOT_YOURS],
  },
} as const satisfies Contract;
