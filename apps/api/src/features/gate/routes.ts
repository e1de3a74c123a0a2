import { contract } from '@portcullis/contract';
import { implement, type Route } from '../../http/implement.ts';
import type { GateService } from './service.ts';

export function gateRoutes(service: GateService): Route[] {
  return implement(contract.gate, {
    explainGate: ({ query }, call) => service.explain(call.principal, query),
  });
}
