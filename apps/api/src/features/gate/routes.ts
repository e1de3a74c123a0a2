import { contract } from '@portcullis/contract';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import type { createGateChanges } from './changes.ts';
import type { GateService } from './service.ts';

export function gateRoutes(
  service: GateService,
  changes: ReturnType<typeof createGateChanges>,
): Route[] {
  return implement(contract.gate, {
    async gateChanges({ query }, call) {
      const { nextCursor, total, ...body } = await changes(call.principal, query);
      announcePage(call, { nextCursor, total });
      return body;
    },
    explainGate: ({ query }, call) => service.explain(call.principal, query, call.signal),
  });
}
