/** Accounts with their present grants, and all folders, through the access cache. */
import type { KnownFolders } from '@portcullis/domain';
import type { AccessCache } from '@portcullis/events';
import type { Store, User, UserFolderGrant } from '@portcullis/store';

interface GrantedAccount {
  user: User;
  grants: UserFolderGrant[];
}

export interface Accounts {
  /** Null where it is gone or disabled. */
  find(id: string): Promise<GrantedAccount | null>;
  /** The names of all folders. */
  folders(): Promise<ReadonlySet<string>>;
  knownFolders(): Promise<KnownFolders>;
}

export function createAccounts(
  store: {
    users: Pick<Store['users'], 'find'>;
    folders: Pick<Store['folders'], 'grantsFor' | 'names'>;
    mirrors: Pick<Store['mirrors'], 'byFolder'>;
  },
  cache: Pick<AccessCache, 'remembering'>,
): Accounts {
  const names = cache.remembering(async () => new Set(await store.folders.names()));
  const mirrors = cache.remembering(() => store.mirrors.byFolder());
  const folders = async () => (await names('')) ?? new Set<string>();
  return {
    find: cache.remembering(async (id) => {
      const user = await store.users.find(id);
      if (!user || user.disabled) return null;
      return { user, grants: user.isAdmin ? [] : await store.folders.grantsFor(id) };
    }),
    folders,
    knownFolders: async () => ({
      folders: await folders(),
      mirrors: (await mirrors('')) ?? new Map(),
    }),
  };
}
