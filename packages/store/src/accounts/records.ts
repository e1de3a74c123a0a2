/** Describes accounts, groups and folders as they are stored. */
import type { AccountOrder, TokenScope, TrustConditions } from '@portcullis/domain';
import type { MirrorSettings } from '@portcullis/domain/mirror';
import type { RetentionRule } from '@portcullis/domain/retention';
import type { FolderGate } from '../gate/records.ts';

export interface Group {
  id: string;
  name: string;
  description: string;
  createdAt: Date;
  members: { id: string; username: string }[];
}

export interface GrantFlags {
  canPull: boolean;
  canPush: boolean;
  canPullExternal: boolean;
  canPushExternal: boolean;
}

export interface Grant extends GrantFlags {
  groupId: string;
  groupName: string;
}

export interface Folder extends FolderGate {
  id: string;
  name: string;
  description: string;
  createdAt: Date;
  /** Which tags are removed; null: none. */
  retention: RetentionRule | null;
  /** Its upstream; null: none. */
  mirror: MirrorSettings | null;
  grants: Grant[];
}

/** What an administrator sets. */
export type FolderSettings = Partial<
  Pick<Folder, 'description' | 'retention' | 'mirror' | keyof FolderGate>
>;

/** What an account may do in a folder: the union of its groups' grants. */
export interface UserFolderGrant extends GrantFlags {
  folder: string;
}

export interface GroupFolderGrant extends UserFolderGrant {
  group: { id: string; name: string };
}

export interface User {
  id: string;
  username: string;
  email: string | null;
  /** Null for an account that logs in by an identity provider only. */
  passwordHash: string | null;
  isAdmin: boolean;
  canBypassVulnBlock: boolean;
  disabled: boolean;
  authSource: 'local' | 'oidc' | 'robot';
  mustChangePassword: boolean;
  createdAt: Date;
  lastLoginAt: Date | null;
}

export type NewUser = Pick<User, 'username' | 'passwordHash'> &
  Partial<Omit<User, 'id' | 'createdAt' | 'lastLoginAt' | 'username' | 'passwordHash'>>;

export type UserChange = Partial<Omit<User, 'id' | 'createdAt' | 'username' | 'authSource'>>;

export interface UserFilter {
  /** Part of the username or the e-mail address. */
  q?: string | undefined;
  /** By name unless given. */
  order?: AccountOrder | undefined;
  /** Default 50, at most 200. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}

export interface AccountNames {
  /** The first five, by name. */
  names: string[];
  total: number;
}

/** Enabled accounts of people. */
export interface Contacts {
  /** They grant permissions. */
  administrators: AccountNames;
  /** They approve waivers; the administrators are among them. */
  reviewers: AccountNames;
}

/** A person's identity at an identity provider. */
export interface Identity {
  /** A normalised URL. */
  issuer: string;
  subject: string;
}

export interface Session {
  id: string;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
}

/** A token of an account or a robot, without its secret or hash. */
export interface PersonalToken {
  id: string;
  userId: string;
  name: string;
  scope: TokenScope;
  hint: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  /** The trust that gave it for an identity token; null: an account created it. */
  trustId: string | null;
}

export type NewPersonalToken = Pick<
  PersonalToken,
  'userId' | 'name' | 'scope' | 'hint' | 'expiresAt'
> & { hash: string; trustId?: string };

/** A machine account. */
export interface Robot {
  id: string;
  /** Its username. */
  name: string;
  description: string;
  /** Whose members manage its tokens; null: administrators alone. */
  owner: { id: string; name: string } | null;
  /** The groups whose rights it has, by name. */
  groups: { id: string; name: string }[];
  disabled: boolean;
  canBypassVulnBlock: boolean;
  createdBy: string;
  createdAt: Date;
  /** Number of tokens that accounts created and that have not expired. */
  tokens: number;
  lastUsedAt: Date | null;
}

export interface NewRobot {
  name: string;
  description: string;
  ownerGroupId: string | null;
  groupIds: readonly string[];
  canBypassVulnBlock: boolean;
  createdBy: string;
}

export type RobotUpdate = Partial<
  Pick<Robot, 'description' | 'disabled' | 'canBypassVulnBlock'> & {
    ownerGroupId: string | null;
    groupIds: readonly string[];
  }
>;

/** Which identity tokens of an issuer get a token of which robot. */
export interface IdentityTrust {
  id: string;
  name: string;
  issuer: string;
  audience: string;
  conditions: TrustConditions;
  robot: { id: string; name: string };
  scope: TokenScope;
  minutes: number;
  /** PEM; trusted for the issuer in addition to the well-known authorities. */
  caCert: string | null;
  enabled: boolean;
  createdBy: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export type NewIdentityTrust = Pick<
  IdentityTrust,
  | 'name'
  | 'issuer'
  | 'audience'
  | 'conditions'
  | 'scope'
  | 'minutes'
  | 'caCert'
  | 'enabled'
  | 'createdBy'
> & { robotId: string };

export type IdentityTrustUpdate = Partial<Omit<NewIdentityTrust, 'createdBy'>>;
