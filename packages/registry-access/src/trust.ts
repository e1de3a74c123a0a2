/** Who may use a saved registry, and whether connections to it may reach private addresses. */
import type { Principal } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import type { SavedRegistry, Store } from '@portcullis/store';

/**
 * The account that vouches for a host. Only an administrator's hosts may have private addresses.
 */
export type Trust = Pick<Principal, 'isAdmin'>;

/**
 * A saved registry that the caller may use: a global one, the caller's, or any for an
 * administrator.
 * @throws not_found `REGISTRY_UNKNOWN`
 */
export async function visibleRegistry(
  registries: Pick<Store['registries'], 'find'>,
  id: string,
  principal: Pick<Principal, 'id' | 'isAdmin'>,
): Promise<SavedRegistry> {
  const saved = await registries.find(id);
  if (!saved || (saved.ownerId !== null && saved.ownerId !== principal.id && !principal.isAdmin)) {
    throw notFound('REGISTRY_UNKNOWN', 'There is no saved registry with this id.');
  }
  return saved;
}

/**
 * The account that saved the registry decides, not the account that uses it: when an administrator
 * uses another account's registry, that account must not reach private addresses through us.
 */
export async function trustOf(
  { ownerId }: Pick<SavedRegistry, 'ownerId'>,
  users: Pick<Store['users'], 'find'>,
): Promise<Trust> {
  // Only administrators save global registries.
  if (ownerId === null) return { isAdmin: true };
  return { isAdmin: (await users.find(ownerId))?.isAdmin ?? false };
}
