import type { Page } from '../page-port.ts';

export interface User {
  id: string;
  username: string;
  email: string | null;
  /** Null for an account that only an identity provider can log in. */
  passwordHash: string | null;
  isAdmin: boolean;
  canBypassVulnBlock: boolean;
  disabled: boolean;
  authSource: 'local' | 'oidc';
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
  /** Default 50, at most 200. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}

export interface Users {
  find(id: string): Promise<User | null>;
  get(id: string): Promise<User>;
  /** Upper and lower case are one name. */
  findByUsername(username: string): Promise<User | null>;
  /** By name. */
  list(filter?: UserFilter): Promise<Page<User>>;
  /** @throws conflict `USERNAME_TAKEN` */
  insert(user: NewUser): Promise<User>;
  /** @throws conflict `LAST_ADMIN` when no active admin would be left */
  update(id: string, change: UserChange): Promise<User>;
  remove(id: string): Promise<void>;
  loggedIn(id: string, at: Date): Promise<void>;
  /**
   * The first start's admin; null where any account exists already, without calling `make`. Safe when several
   * processes start at once.
   */
  ensureFirstAdmin(
    username: string,
    make: () => Promise<{ passwordHash: string; mustChangePassword: boolean }>,
  ): Promise<User | null>;
}

/** Who an identity provider says somebody is. */
export interface Identity {
  /** A URL, normalised. */
  issuer: string;
  subject: string;
}

export interface Identities {
  /** The account that is bound to it. */
  findUser(identity: Identity): Promise<User | null>;
  /** An account and its binding, both or neither. @throws conflict `USERNAME_TAKEN`, `IDENTITY_TAKEN` */
  insertUser(identity: Identity, user: NewUser): Promise<User>;
  loggedIn(identity: Identity, at: Date): Promise<void>;
  /** Active admins that can log in by this issuer. */
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
  /** A live one only: not expired, not revoked, of an account that isn't disabled. */
  find(id: string): Promise<Session | null>;
  revoke(id: string): Promise<void>;
  /** All of an account's, but for `except` (the one that changes its own password). */
  revokeAll(userId: string, except?: string): Promise<number>;
  removeExpired(): Promise<number>;
}

/** `api` for the REST API, `docker` for `/v2`. */
export const TOKEN_SCOPES = ['api', 'docker'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** A personal access token, without what would let anybody use it. */
export interface PersonalToken {
  id: string;
  userId: string;
  name: string;
  scope: TokenScope;
  hint: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
}

export interface PersonalTokens {
  /** Also one that expired: ask `expiresAt`. */
  find(id: string): Promise<PersonalToken | null>;
  /** One indexed look-up; also one that expired. */
  findByHash(hash: string): Promise<PersonalToken | null>;
  /** An account's own, newest first. */
  list(userId: string): Promise<PersonalToken[]>;
  insert(
    token: Pick<PersonalToken, 'userId' | 'name' | 'scope' | 'hint' | 'expiresAt'> & {
      hash: string;
    },
  ): Promise<PersonalToken>;
  /** True when it was there. */
  remove(id: string): Promise<boolean>;
  /** All of an account's own; says how many there were. */
  removeAll(userId: string): Promise<number>;
  /** Written at most once a minute. */
  used(id: string, at: Date): Promise<void>;
  removeExpired(before: Date): Promise<number>;
}
