/** Accounts with their present grants, through the access cache. */
import type { AuthKind, KnownFolders, Principal } from '@portcullis/domain';
import type { Mirror } from '@portcullis/domain/mirror';
import type { AccessCache, Load, Remembering } from '@portcullis/events';
import type { PersonalToken, Session, Store, User, UserFolderGrant } from '@portcullis/store';

export interface GrantedAccount {
  user: User;
  grants: UserFolderGrant[];
  /** Of a robot: the name of the group that owns it; null where administrators do. */
  robotOf?: string | null;
}

/** Each is null once it is gone, disabled or expired. */
export interface Principals {
  account: Load<GrantedAccount>;
  session: Load<Session>;
  token: Load<PersonalToken>;
  tokenByHash: Remembering<PersonalToken>;
  /** The names of all folders. */
  folders(): Promise<ReadonlySet<string>>;
  /** The mirrors, by the names of their folders. */
  mirrors(): Promise<ReadonlyMap<string, Mirror>>;
  knownFolders(): Promise<KnownFolders>;
}

export function createPrincipals(store: Store, cache: AccessCache): Principals {
  const session = cache.remembering((id) => store.sessions.find(id));
  const token = cache.remembering((id) => store.tokens.find(id));
  const tokenByHash = cache.remembering((hash) => store.tokens.findByHash(hash));
  const folders = cache.remembering<ReadonlySet<string>>(
    async () => new Set(await store.folders.names()),
  );
  const mirrors = cache.remembering(() => store.mirrors.byFolder());

  async function load(id: string): Promise<GrantedAccount | null> {
    const user = await store.users.find(id);
    if (!user || user.disabled) return null;
    const grants = user.isAdmin ? [] : await store.folders.grantsFor(id);
    if (user.authSource !== 'robot') return { user, grants };
    return { user, grants, robotOf: await store.robots.ownerOf(id) };
  }

  const folderNames = async () => (await folders('')) ?? new Set<string>();
  const knownMirrors = async () => (await mirrors('')) ?? new Map<string, Mirror>();

  return {
    account: cache.remembering(load),
    session: async (id) => unexpired(await session(id)),
    token: async (id) => unexpired(await token(id)),
    tokenByHash: Object.assign(async (hash: string) => unexpired(await tokenByHash(hash)), {
      knows: tokenByHash.knows,
    }),
    folders: folderNames,
    mirrors: knownMirrors,
    knownFolders: async () => ({ folders: await folderNames(), mirrors: await knownMirrors() }),
  };
}

/** The token may have expired since it was cached. */
function unexpired<T extends { expiresAt: Date }>(found: T | null): T | null {
  return found && found.expiresAt.getTime() > Date.now() ? found : null;
}

export function principalOf(
  { user, grants, robotOf }: GrantedAccount,
  { auth, tokenId }: { auth: AuthKind; tokenId?: string },
): Principal {
  const { id, username, isAdmin, canBypassVulnBlock, mustChangePassword } = user;
  return {
    id,
    username,
    isAdmin,
    canBypassVulnBlock,
    mustChangePassword,
    auth,
    grants,
    ...(tokenId !== undefined && { tokenId }),
    ...(robotOf !== undefined && { robotOf }),
  };
}
