/** Routes of saved registries, images and their gate, and of the search. */
import { clusterRoutes } from '../features/clusters/routes.ts';
import { createExplainingAbsence } from '../features/folders/mirror/absence.ts';
import { createGateChanges } from '../features/gate/changes.ts';
import { gateRoutes } from '../features/gate/routes.ts';
import { createGateService } from '../features/gate/service.ts';
import { openedAt } from '../features/images/repositories.ts';
import { imageRoutes } from '../features/images/routes.ts';
import { createImagesService } from '../features/images/service.ts';
import { registryRoutes } from '../features/registries/routes.ts';
import { createRegistriesService } from '../features/registries/service.ts';
import { searchRoutes } from '../features/search/routes.ts';
import { createSearchService } from '../features/search/service.ts';
import type { Route } from '../http/implement.ts';
import type { Connections, Shared } from './shared.ts';

export function registryAndImageRoutes(
  { config, egress, feeds }: Connections,
  {
    store,
    access,
    rights,
    keeper,
    registryLock,
    gates,
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
  const explainingAbsence = createExplainingAbsence({
    mirrors: identity.principals.mirrors,
    store: store.mirrors,
    attempts: store.mirrorAttempts,
  });
  const explained = createGateService({
    explainingAbsence,
    openLocal: (name) => openedAt(null, name, access.openLocal(name)),
    gate: imageGate,
    rights,
    principals: identity.principals,
    users: store.users,
    signatureFacts: store.signatureFacts,
  });
  const changes = createGateChanges({
    standings: store.standings,
    vulnerabilities: store.vulnerabilities,
    feeds: feeds.current,
    now: () => new Date(),
  });
  const images = createImagesService({
    images: store.images,
    statements: store.statements,
    signingKeys: store.signingKeys,
    mirrors: store.mirrors,
    reports: store.reports,
    analyses: store.analyses,
    standings,
    access,
    rights,
    keeper,
    registryLock,
    gates,
    explain: explained.explain,
    explainingAbsence,
    registryUrl: config.REGISTRY_URL,
  });
  return [
    ...registryRoutes(registries),
    ...imageRoutes(images),
    ...clusterRoutes({ store, folders: identity.principals.folders, now: () => new Date() }),
    ...gateRoutes(explained, changes),
    ...searchRoutes(createSearchService(store)),
  ];
}
