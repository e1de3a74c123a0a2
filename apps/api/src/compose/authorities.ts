/** Routes of authorities. */
import { authorityRoutes } from '../features/authorities/routes.ts';
import { createAuthoritiesService } from '../features/authorities/service.ts';
import type { Route } from '../http/implement.ts';
import type { Shared } from './shared.ts';

export function authoritiesRoutes({ store, gateChanged }: Shared): Route[] {
  const { authorities } = store;
  return authorityRoutes(
    createAuthoritiesService({ authorities, changed: gateChanged, now: () => new Date() }),
  );
}
