/** Routes of saved registries and images. */
import { imageRoutes } from '../features/images/routes.ts';
import { createImagesService } from '../features/images/service.ts';
import { registryRoutes } from '../features/registries/routes.ts';
import { createRegistriesService } from '../features/registries/service.ts';
import type { Route } from '../http/implement.ts';
import type { Connections, Shared } from './shared.ts';

export function registryAndImageRoutes(
  { config, egress }: Connections,
  {
    store,
    access,
    rights,
    keeper,
    gate,
    copyDoors,
    imageGate,
    identity,
    standings,
    gateChanged,
    publicHost,
  }: Shared,
): Route[] {
  const registries = createRegistriesService({
    registries: store.registries,
    policies: store.policies,
    policyChanged: gateChanged,
    access,
    egress,
    publicHost,
    now: () => new Date(),
  });
  const images = createImagesService({
    images: store.images,
    standings,
    access,
    rights,
    keeper,
    gate,
    doors: copyDoors,
    imageGate,
    folders: identity.principals.folders,
    registryUrl: config.REGISTRY_URL,
  });
  return [...registryRoutes(registries), ...imageRoutes(images)];
}
