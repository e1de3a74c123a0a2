/** Routes of waivers. */
import { publishChange } from '@portcullis/events';
import { openedAt } from '../features/images/repositories.ts';
import { waiverRoutes } from '../features/waivers/routes.ts';
import { createWaiversService } from '../features/waivers/service.ts';
import { createVexService } from '../features/waivers/vex.ts';
import type { Route } from '../http/implement.ts';
import type { Connections, Shared } from './shared.ts';

export function waiversRoutes(
  { config, redis, log }: Connections,
  { store, access, rights, identity, keeper, gate, publicHost }: Shared,
): Route[] {
  // Processes that Redis does not reach keep nothing in memory, so that a failure is safe.
  const changed = () =>
    publishChange(redis, 'gate').catch((err: unknown) => {
      log.warn({ err }, 'a change of waivers could not be announced');
    });
  const now = () => new Date();
  const service = createWaiversService({
    store,
    approvalsNeeded: config.WAIVER_APPROVALS,
    changed,
    now,
  });
  const vex = createVexService({
    store,
    openLocal: (name) => openedAt(null, name, access.openLocal(name)),
    rights,
    folders: identity.principals.folders,
    keeper,
    gate,
    publicHost,
    version: config.APP_VERSION,
    changed,
    shown: service.shown,
    now,
  });
  return waiverRoutes(service, vex);
}
