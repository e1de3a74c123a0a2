/** Routes of waivers. */
import { publishChange } from '@portcullis/events';
import { waiverRoutes } from '../features/waivers/routes.ts';
import { createWaiversService } from '../features/waivers/service.ts';
import type { Route } from '../http/implement.ts';
import type { Connections, Shared } from './shared.ts';

export function waiversRoutes({ config, redis, log }: Connections, { store }: Shared): Route[] {
  const service = createWaiversService({
    store,
    approvalsNeeded: config.WAIVER_APPROVALS,
    // Processes that Redis does not reach keep nothing in memory, so that a failure is safe.
    changed: () =>
      publishChange(redis, 'gate').catch((err: unknown) => {
        log.warn({ err }, 'a change of waivers could not be announced');
      }),
    now: () => new Date(),
  });
  return waiverRoutes(service);
}
