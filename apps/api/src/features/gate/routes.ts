import { contract } from '@portcullis/contract';
import { implement, type Route } from '../../http/implement.ts';
import type { createGateChanges } from './changes.ts';
import type { GateService } from './service.ts';

export function gateRoutes(
  service: GateService,
  changes: ReturnType<typeof createGateChanges>,
): Route[] {
  return implement(contract.gate, {
    gateChanges: ({ query }, call) => changes(call.principal, query),
    explainGate: ({ query }, call) => service.explain(call.principal, query),
  });
}
