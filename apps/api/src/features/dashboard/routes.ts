import { contract } from '@portcullis/contract';
import { implement, type Route } from '../../http/implement.ts';
import { presentStats } from './present.ts';
import type { DashboardService } from './service.ts';

export function dashboardRoutes(service: DashboardService): Route[] {
  return implement(contract.dashboard, {
    async stats(_, call) {
      return presentStats(await service.stats(call.principal));
    },
  });
}
