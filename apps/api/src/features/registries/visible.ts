import type { Principal } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import type { SavedRegistry, Store } from '@portcullis/store';

/** A saved registry the caller may use: a global one or an own one; anything else doesn't exist. */
export async function visibleRegistry(
  registries: Pick<Store['registries'], 'find'>,
  id: string,
  principal: Principal,
): Promise<SavedRegistry> {
  const saved = await registries.find(id);
  if (!saved || (saved.ownerId !== null && saved.ownerId !== principal.id && !principal.isAdmin)) {
    throw notFound('REGISTRY_UNKNOWN', 'There is no saved registry with this id.');
  }
  return saved;
}
