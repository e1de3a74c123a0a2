/** Routes of policies. */
import { createPolicyPreview } from '../features/policies/preview.ts';
import { policyRoutes } from '../features/policies/routes.ts';
import { createPoliciesService } from '../features/policies/service.ts';
import type { Route } from '../http/implement.ts';
import type { Connections, Shared } from './shared.ts';

export function policiesRoutes(
  { feeds }: Connections,
  { store, policy, imageGate, gateChanged }: Shared,
): Route[] {
  const service = createPoliciesService({ store, settings: policy, changed: gateChanged });
  const preview = createPolicyPreview({
    store,
    rules: imageGate.rules,
    feeds: feeds.current,
    now: () => new Date(),
    clock: () => performance.now(),
  });
  return policyRoutes(service, preview);
}
