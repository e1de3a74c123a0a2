export interface SavedRegistry {
  id: string;
  name: string;
  /** `host[:port]`, lower case. */
  host: string;
  username: string | null;
  hasPassword: boolean;
  /** Null: global, visible to all accounts. */
  ownerId: string | null;
  ownerName: string | null;
  useTls: boolean;
  tlsVerify: boolean;
  caCert: string | null;
  /** `host[:port]` of token services on other domains that may have the login. */
  tokenHosts: string[];
  /** Null: the first segment of a push is replaced by the username, where it can be one. */
  pushNamespace: string | null;
  system: boolean;
  /** Null: the default policy. */
  policyId: string | null;
  createdAt: Date;
  /** `code`: what failed; null where it is usable. */
  lastCheck: { at: Date; ok: boolean; code: string | null; message: string } | null;
}

export interface NewRegistry {
  name: string;
  host: string;
  username?: string | null;
  password?: string | null;
  ownerId?: string | null;
  useTls?: boolean;
  tlsVerify?: boolean;
  caCert?: string | null;
  tokenHosts?: string[];
  pushNamespace?: string | null;
  system?: boolean;
  policyId?: string | null;
}

export interface Credentials {
  username: string;
  password: string;
}

export interface Registries {
  find(id: string): Promise<SavedRegistry | null>;
  get(id: string): Promise<SavedRegistry>;
  /** With `visibleTo`: the global ones and those of that account. */
  list(filter?: { visibleTo?: string }): Promise<SavedRegistry[]>;
  insert(registry: NewRegistry): Promise<SavedRegistry>;
  /** An omitted password stays, null removes it. */
  update(
    id: string,
    change: Partial<Omit<NewRegistry, 'ownerId' | 'system'>>,
  ): Promise<SavedRegistry>;
  remove(id: string): Promise<void>;
  /** The unsealed credentials; null where none are saved. */
  credentials(id: string): Promise<Credentials | null>;
  /** Stores the result of a check; null clears it because the address has changed. */
  checked(id: string, check: SavedRegistry['lastCheck']): Promise<void>;
}
