/** Opens source and destination of a planned transfer. */
import { LOCAL_REGISTRY_ID, type Principal, type TransferOrder } from '@portcullis/domain';
import type { Repository } from '@portcullis/oci/remote';
import type { RegistryAccess } from '@portcullis/registry-access';

type EndRegistry = { registryId: string | null };

export interface TransferEnds {
  source(
    place: TransferOrder['source'],
    repository: string,
    principal: Principal,
  ): Promise<Repository>;
  destination(
    place: TransferOrder['destination'],
    repository: string,
    principal: Principal,
  ): Promise<Repository>;
}

export function createTransferEnds({
  openSaved,
  openLocal,
  openDockerHub,
}: Pick<RegistryAccess, 'openSaved' | 'openLocal' | 'openDockerHub'>): TransferEnds {
  /** Docker Hub without a registry. */
  async function open(
    { registryId }: EndRegistry,
    repository: string,
    principal: Principal,
  ): Promise<Repository> {
    if (registryId === LOCAL_REGISTRY_ID) return openLocal(repository);
    if (registryId !== null) return openSaved(registryId, repository, principal);
    return openDockerHub(repository);
  }

  return { source: open, destination: open };
}
