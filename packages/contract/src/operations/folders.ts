/** Declares folders, their grants, overviews, retention and mirrors. */
import {
  ACCESS_ACTIONS,
  normalizeFolderName,
  PULL_GATE_MODES,
  PUSH_GATE_MODES,
  STATEMENT_MODES,
} from '@portcullis/domain';
import { z } from 'zod';
import { PAGING, Time, Uuid } from '../common.ts';
import { rule, violation } from '../field-faults.ts';
import { FOLDER_WORDS } from '../folder-words.ts';
import { folderOverviews } from '../folders/folder-overview.ts';
import { FolderMirror, folderMirror, NewFolderMirror } from '../folders/mirror.ts';
import { folderRetention, NewTagRetention, TagRetention } from '../folders/retention.ts';
import { Repository } from '../grammar.ts';
import type { Contract } from '../operation.ts';
import { FOLDER, FOLDER_EXCEPTIONS } from '../patterns.ts';
import { Description } from './groups.ts';

const FLAGS = {
  can_pull: z.boolean(),
  can_push: z.boolean(),
  can_pull_external: z.boolean(),
  can_push_external: z.boolean(),
};

export const FolderPermission = z.strictObject({
  group_id: Uuid,
  group_name: z.string(),
  ...FLAGS,
});
export type FolderPermission = z.infer<typeof FolderPermission>;

const MOST_IMMUTABLE_TAGS = 20;
const MOST_TAG_CHARACTERS = 128;

const GATE = {
  /** Null: the default policy. */
  policy_id: Uuid.nullable(),
  /** `report`: what is pushed over `/v2` is scanned in the background. */
  push_gate: z.enum(PUSH_GATE_MODES),
  /** `report`: refusals are recorded. `enforce`: pulls of blocked images are refused. */
  pull_gate: z.enum(PULL_GATE_MODES),
  /**
   * Globs, as tag patterns of transfers: a tag that matches one is neither moved nor deleted once
   * it exists.
   */
  immutable_tags: z.array(z.string().min(1).max(MOST_TAG_CHARACTERS)).max(MOST_IMMUTABLE_TAGS),
  /**
   * How many bytes of blobs and manifests its repositories may hold together, each digest counted
   * once; null: any number.
   */
  quota_bytes: z.number().int().min(1).nullable(),
  /**
   * `on`: signed statements about its tagged images are stored beside them. `with_tags`: verdicts
   * are under cosign's tags of attestations (`sha256-….att`) as well.
   */
  statements: z.enum(STATEMENT_MODES),
};

export const FolderGate = z.strictObject({
  folder: z.string(),
  ...GATE,
  policy_name: z.string(),
});
export type FolderGate = z.infer<typeof FolderGate>;

export const Folder = z.strictObject({
  id: Uuid,
  name: z.string(),
  description: z.string(),
  ...GATE,
  /** Null: every tag stays. */
  retention: TagRetention.nullable(),
  /** Where what it lacks is brought in from; null: nowhere. */
  mirror: FolderMirror.nullable(),
  created_at: Time,
  permissions: z.array(FolderPermission),
});
export type Folder = z.infer<typeof Folder>;

const NAME_INVALID = violation(
  'FOLDER_NAME_INVALID',
  'A folder name has at most 128 lower-case letters and digits with single . _ - between them, and is not a UUID.',
);
const RESERVED_NAMES = FOLDER_WORDS.join(', ');
const NAME_RESERVED = violation(
  'FOLDER_NAME_RESERVED',
  `These names are reserved: ${RESERVED_NAMES}.`,
  { params: { names: RESERVED_NAMES } },
);

export const FolderName = z
  .string()
  .max(1000)
  .transform((text, context) => {
    const name = normalizeFolderName(text);
    if (name !== null && !FOLDER_WORDS.includes(name)) return name;
    context.addIssue(name === null ? NAME_INVALID : NAME_RESERVED);
    return z.NEVER;
  })
  .meta({
    pattern: FOLDER,
    maxLength: 128,
    not: { anyOf: FOLDER_EXCEPTIONS },
    description: 'Upper case is lowered and surrounding blanks are removed.',
  });

const SETTINGS = z
  .strictObject({
    description: Description,
    ...GATE,
    retention: NewTagRetention.nullable(),
    mirror: NewFolderMirror.nullable(),
  })
  .partial().shape;

export const NewFolder = z.strictObject({ name: FolderName, ...SETTINGS });
export type NewFolder = z.infer<typeof NewFolder>;

/** An absent field keeps its value. */
export const FolderChange = z.strictObject(SETTINGS);
export type FolderChange = z.infer<typeof FolderChange>;

/** Replaces the whole entry: an absent flag is false. */
export const NewPermission = z.strictObject({
  group_id: Uuid,
  can_pull: FLAGS.can_pull.default(false),
  can_push: FLAGS.can_push.default(false),
  can_pull_external: FLAGS.can_pull_external.default(false),
  can_push_external: FLAGS.can_push_external.default(false),
});
export type NewPermission = z.infer<typeof NewPermission>;

export const FolderRemoval = z.strictObject({
  force: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe(
      'Deletes the folder although it holds repositories. They remain and belong to `__root__` from then on: accounts with grants on `__root__` may pull and push them.',
    ),
});

export const ExplainQuery = z
  .strictObject({
    action: z.enum(ACCESS_ACTIONS),
    user_id: Uuid,
    repository: Repository.optional().describe(
      'Required for `pull` and `push`; the external rights do not depend on it.',
    ),
  })
  .refine(
    ({ action, repository }) => repository !== undefined || action.endsWith('_external'),
    rule('REPOSITORY_REQUIRED', 'pull and push need a repository.', ['repository']),
  );
export type ExplainQuery = z.infer<typeof ExplainQuery>;

export const AccessExplanation = z.strictObject({
  /**
   * The folder that governs the repository; null for the external rights, which any folder may
   * grant.
   */
  folder: z.string().nullable(),
  allowed: z.boolean(),
  /** An administrator may do everything without a grant. */
  is_admin: z.boolean(),
  /** The code of the denial; null if the action is allowed. */
  code: z.string().nullable(),
  reason: z.string().nullable(),
  /**
   * Allowed: the grants that allow it. Denied: the account's grants on the folder, none of which
   * allows it.
   */
  because: z.array(
    z.strictObject({
      group: z.strictObject({ id: Uuid, name: z.string() }),
      grant: z.strictObject({ folder: z.string(), ...FLAGS }),
    }),
  ),
});
export type AccessExplanation = z.infer<typeof AccessExplanation>;

/** The id or the name; a name never has the form of an id. */
const FolderParams = z.strictObject({ folder_id: z.string().min(1).max(128) });
const NO_FOLDER = { status: 404, codes: ['FOLDER_UNKNOWN'] };
const INVALID_SETTING = { status: 422, codes: ['POLICY_UNKNOWN', 'PATTERN_INVALID'] };
const INVALID_MIRROR = { status: 422, codes: ['REGISTRY_UNKNOWN', 'MIRROR_OF_ITSELF'] };
const Names = z.array(z.string());

export const folders = {
  listFolders: {
    method: 'get',
    path: '/folders',
    summary: 'All folders with their permissions, by name',
    access: 'admin',
    query: z.strictObject(PAGING),
    success: { status: 200, body: z.array(Folder) },
  },
  createFolder: {
    method: 'post',
    path: '/folders',
    summary:
      'Create a folder. Repositories with this first segment move from `__root__` to it at once; until a group is granted access, only administrators can reach them',
    access: 'admin',
    audit: 'folder.create',
    body: NewFolder,
    success: { status: 201, body: Folder },
    faults: [{ status: 409, codes: ['FOLDER_NAME_TAKEN'] }, INVALID_SETTING, INVALID_MIRROR],
  },
  listPullable: {
    method: 'get',
    path: '/folders/mine',
    summary: 'Names of the folders the caller may pull from, sorted',
    access: 'user',
    token: 'any',
    success: { status: 200, body: Names },
  },
  listPushable: {
    method: 'get',
    path: '/folders/pushable',
    summary: 'Names of the folders the caller may push to, sorted; a mirror is none',
    access: 'user',
    token: 'any',
    success: { status: 200, body: Names },
  },
  listWritable: {
    method: 'get',
    path: '/folders/writable',
    summary:
      'Names of the folders with `can_push` for the caller, sorted: those it may push to, and mirrors, whose tags it may delete',
    access: 'user',
    token: 'any',
    success: { status: 200, body: Names },
  },
  listAskable: {
    method: 'get',
    path: '/folders/askable',
    summary:
      'Names of the folders for which the caller may request reviews and waivers, sorted: those with `can_push`, and mirrors with `can_pull_external`; none for a robot',
    access: 'user',
    token: 'any',
    success: { status: 200, body: Names },
  },
  listPullableExternal: {
    method: 'get',
    path: '/folders/pullable-external',
    summary: 'Names of the folders that let the caller pull from external registries, sorted',
    access: 'user',
    token: 'any',
    success: { status: 200, body: Names },
  },
  listPushableExternal: {
    method: 'get',
    path: '/folders/pushable-external',
    summary: 'Names of the folders that let the caller push to external registries, sorted',
    access: 'user',
    token: 'any',
    success: { status: 200, body: Names },
  },
  listFolderNames: {
    method: 'get',
    path: '/folders/names',
    summary: 'Names of all folders, sorted',
    access: 'admin',
    success: { status: 200, body: Names },
  },
  ...folderOverviews,
  ...folderRetention,
  ...folderMirror,
  explainAccess: {
    method: 'get',
    path: '/folders/explain',
    summary: 'Why an account may or may not do something',
    access: 'admin',
    query: ExplainQuery,
    success: { status: 200, body: AccessExplanation },
    faults: [{ status: 404, codes: ['USER_UNKNOWN'] }],
  },
  getFolder: {
    method: 'get',
    path: '/folders/{folder_id}',
    summary: 'One folder',
    access: 'admin',
    params: FolderParams,
    success: { status: 200, body: Folder },
    faults: [NO_FOLDER],
  },
  getFolderGate: {
    method: 'get',
    path: '/folders/{folder_id}/gate',
    summary:
      'The policy, the gates, the immutable tags and the quota of a folder that the caller may pull from',
    access: 'user',
    token: ['pull'],
    params: FolderParams,
    success: { status: 200, body: FolderGate },
    faults: [NO_FOLDER],
  },
  updateFolder: {
    method: 'patch',
    path: '/folders/{folder_id}',
    summary:
      'Change the description, the policy, the gates, the immutable tags, the quota, the retention or the mirror of a folder; all but retention applies at once in every process',
    access: 'admin',
    audit: 'folder.update',
    params: FolderParams,
    body: FolderChange,
    success: { status: 200, body: Folder },
    faults: [
      { status: 403, codes: ['FOLDER_PROTECTED'] },
      NO_FOLDER,
      INVALID_SETTING,
      INVALID_MIRROR,
    ],
  },
  removeFolder: {
    method: 'delete',
    path: '/folders/{folder_id}',
    summary: 'Delete a folder and its permissions; no repository is deleted with it',
    access: 'admin',
    audit: 'folder.delete',
    params: FolderParams,
    query: FolderRemoval,
    success: { status: 204 },
    faults: [
      { status: 403, codes: ['FOLDER_PROTECTED'] },
      NO_FOLDER,
      { status: 409, codes: ['FOLDER_NOT_EMPTY'] },
      { status: 503, codes: ['REGISTRY_UNAVAILABLE'] },
    ],
  },
  listPermissions: {
    method: 'get',
    path: '/folders/{folder_id}/permissions',
    summary: 'A folder’s permissions, by group name',
    access: 'admin',
    params: FolderParams,
    success: { status: 200, body: z.array(FolderPermission) },
    faults: [NO_FOLDER],
  },
  setPermission: {
    method: 'put',
    path: '/folders/{folder_id}/permissions',
    summary: 'Set the permissions of a group in a folder; replaces its entry',
    access: 'admin',
    audit: 'folder.grant',
    params: FolderParams,
    body: NewPermission,
    success: { status: 200, body: FolderPermission },
    faults: [{ status: 404, codes: ['FOLDER_UNKNOWN', 'GROUP_UNKNOWN'] }],
  },
  removePermission: {
    method: 'delete',
    path: '/folders/{folder_id}/permissions/{group_id}',
    summary: 'Revoke the permissions of a group in a folder; they end at once',
    access: 'admin',
    audit: 'folder.revoke',
    params: FolderParams.extend({ group_id: Uuid }),
    success: { status: 204 },
    faults: [{ status: 404, codes: ['FOLDER_UNKNOWN', 'PERMISSION_UNKNOWN'] }],
  },
} as const satisfies Contract;
