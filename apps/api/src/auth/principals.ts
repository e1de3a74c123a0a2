import type { AuthKind, Principal } from '@portcullis/domain';
import { unauthenticated } from '@portcullis/errors';
import type { Store, User } from '@portcullis/store';

/** Everything is read anew: what was revoked a moment ago is gone (decisions.md § Access, rule 8). */
export async function principalOf(
  store: Pick<Store, 'folders'>,
  user: User,
  { auth, tokenId }: { auth: AuthKind; tokenId?: string },
): Promise<Principal> {
  const grants = user.isAdmin ? [] : await store.folders.grantsFor(user.id);
  const { id, username, isAdmin, canBypassVulnBlock } = user;
  return {
    id,
    username,
    isAdmin,
    canBypassVulnBlock,
    auth,
    grants,
    ...(tokenId !== undefined && { tokenId }),
  };
}

/** @throws unauthenticated when the account is gone or disabled */
export async function liveUser(store: Pick<Store, 'users'>, id: string): Promise<User> {
  const user = await store.users.find(id);
  if (!user || user.disabled) throw unauthenticated('ACCOUNT_GONE', 'The account is disabled, or gone.');
  return user;
}
