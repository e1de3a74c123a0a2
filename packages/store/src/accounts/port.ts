import type { AccountOrder, TokenScope } from '@portcullis/domain';
import type { Page } from '../page-port.ts';

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

export interface Users {
  find(id: string): Promise<User | null>;
  get(id: string): Promise<User>;
  /** The usernames of these accounts, by id; none of removed ones. */
  names(ids: readonly string[]): Promise<Map<string, string>>;
  /** Case-insensitive. */
  findByUsername(username: string): Promise<User | null>;
  /** People; robots are in a list of their own. */
  list(filter?: UserFilter): Promise<Page<User>>;
  /**
   * Whom the account asks; with a folder, who reviews the waivers of that folder; with null only
   * administrators.
   */
  findContacts(callerId: string, folder: string | null | undefined): Promise<Contacts>;
  /** @throws conflict `USERNAME_TAKEN` */
  insert(user: NewUser): Promise<User>;
  /** @throws conflict `LAST_ADMIN` when no active admin would remain */
  update(id: string, change: UserChange): Promise<User>;
  remove(id: string): Promise<void>;
  loggedIn(id: string, at: Date): Promise<void>;
  /**
   * Creates the first admin; returns null, without calling `make`, where any account exists. Safe
   * when several processes start at once.
   */
  ensureFirstAdmin(
    username: string,
    make: () => Promise<{ passwordHash: string; mustChangePassword: boolean }>,
  ): Promise<User | null>;
}

/** A person's identity at an identity provider. */
export interface Identity {
  /** A normalised URL. */
  issuer: string;
  subject: string;
}

export interface Identities {
  /** The account bound to the identity. */
  findUser(identity: Identity): Promise<User | null>;
  /**
   * Inserts an account and its binding in one transaction. @throws conflict `USERNAME_TAKEN`,
   * `IDENTITY_TAKEN`
   */
  insertUser(identity: Identity, user: NewUser): Promise<User>;
  loggedIn(identity: Identity, at: Date): Promise<void>;
  /** Number of active admins that can log in by this issuer. */
  countAdmins(issuer: string): Promise<number>;
}

export interface Session {
  id: string;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
}

export interface Sessions {
  insert(session: { id?: string; userId: string; expiresAt: Date }): Promise<Session>;
  /** Only an active session: not expired, not revoked, of an account that is not disabled. */
  find(id: string): Promise<Session | null>;
  revoke(id: string): Promise<void>;
  /** Revokes all sessions of an account except `except` (the one that changes its own password). */
  revokeAll(userId: string, except?: string): Promise<number>;
  removeExpired(): Promise<number>;
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

export interface PersonalTokens {
  /** Also returns expired tokens: check `expiresAt`. */
  find(id: string): Promise<PersonalToken | null>;
  /** One indexed look-up; also returns expired tokens. */
  findByHash(hash: string): Promise<PersonalToken | null>;
  /** The tokens of an account that accounts created, newest first. */
  list(userId: string): Promise<PersonalToken[]>;
  insert(token: NewPersonalToken): Promise<PersonalToken>;
  /** Replaces a token: inserts the new one and sets when the former ends, in one transaction. */
  rotate(id: string, expiresAt: Date, token: NewPersonalToken): Promise<PersonalToken>;
  /** Returns true where the token existed. */
  remove(id: string): Promise<boolean>;
  /** Removes all tokens of an account and returns their number. */
  removeAll(userId: string): Promise<number>;
  /** Records the last use, at most once a minute. */
  used(id: string, at: Date): Promise<void>;
  /** Those that expired so long ago. */
  removeExpired(olderThanMs: number): Promise<number>;
}
