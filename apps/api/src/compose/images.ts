/** Puts together the registries that are known and what the built-in one holds. */
import type { ApiDeps } from '../app.ts';
import { imageRoutes } from '../features/images/routes.ts';
import { createImagesService } from '../features/images/service.ts';
import { createStandings } from '../features/images/standings.ts';
import { registryRoutes } from '../features/registries/routes.ts';
import { createRegistriesService } from '../features/registries/service.ts';
import type { Route } from '../http/implement.ts';
import type { Shared } from './shared.ts';

export function registryAndImageRoutes(
  { config, store, egress }: ApiDeps,
  shared: Shared,
): Route[] {
  const registries = createRegistriesService({
    ...shared,
    registries: store.registries,
    egress,
    now: () => new Date(),
  });
  const images = createImagesService({
    ...shared,
    images: store.images,
    standings: createStandings({ ...shared, reports: store.reports }),
    registryUrl: config.REGISTRY_URL,
  });
  return [...registryRoutes(registries), ...imageRoutes(images)];
}
