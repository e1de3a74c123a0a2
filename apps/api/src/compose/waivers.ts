/** Routes of waivers. */
import { openedAt } from '../features/images/repositories.ts';
import type { StagingService } from '../features/staging/service.ts';
import { createFindingWaivers } from '../features/waivers/of-findings.ts';
import { waiverRoutes } from '../features/waivers/routes.ts';
import { createWaiversService } from '../features/waivers/service.ts';
import { createVexService } from '../features/waivers/vex.ts';
import type { Route } from '../http/implement.ts';
import type { Connections, Shared } from './shared.ts';

export function waiversRoutes(
  { config }: Connections,
  shared: Shared,
  { visibleJob }: Pick<StagingService, 'visibleJob'>,
): Route[] {
  const { store, access, rights, identity, gateChanged, publicHost } = shared;
  const now = () => new Date();
  const service = createWaiversService({
    store,
    approvalsNeeded: config.WAIVER_APPROVALS,
    changed: gateChanged,
    now,
  });
  const vex = createVexService({
    store,
    openLocal: (name) => openedAt(null, name, access.openLocal(name)),
    rights,
    folders: identity.principals.folders,
    keeper: shared.keeper,
    registryLock: shared.registryLock,
    immutableTags: shared.gates.immutableTags,
    folderQuotas: shared.gates.folderQuotas,
    publicHost,
    version: config.APP_VERSION,
    changed: gateChanged,
    shown: service.shown,
    now,
  });
  const findings = createFindingWaivers({
    store,
    openLocal: (name) => openedAt(null, name, access.openLocal(name)),
    rights,
    folders: identity.principals.folders,
    visibleJob,
    shown: service.shown,
    now,
  });
  return waiverRoutes(service, vex, findings);
}
