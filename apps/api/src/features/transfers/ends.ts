/** Opens the two ends of a transfer that is only planned, with the reach of whoever plans it. */
import { LOCAL_REGISTRY_ID, type Principal, type TransferOrder } from '@portcullis/domain';
import { DOCKER_HUB_HOST, dockerHubRepository } from '@portcullis/oci';
import { openRepository, type Repository } from '@portcullis/oci/remote';
import type { Egress } from '../../egress/transports.ts';
import type { RegistryAccess } from '../registries/open.ts';

type Place = { registryId: string | null };

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

export function createTransferEnds(
  { openSaved, openLocal }: Pick<RegistryAccess, 'openSaved' | 'openLocal'>,
  egress: Pick<Egress, 'for'>,
): TransferEnds {
  /** No registry at all is Docker Hub, which is public. */
  async function open(
    { registryId }: Place,
    repository: string,
    principal: Principal,
  ): Promise<Repository> {
    if (registryId === LOCAL_REGISTRY_ID) return openLocal(repository);
    if (registryId !== null) return openSaved(registryId, repository, principal);
    return openRepository({
      host: DOCKER_HUB_HOST,
      repository: dockerHubRepository(repository),
      tls: 'required',
      transport: egress.for({ isAdmin: false }),
    });
  }

  return { source: open, destination: open };
}
