import { contract } from '@portcullis/contract';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import type { VulnerabilityService } from './service.ts';

export function vulnerabilityRoutes(service: VulnerabilityService): Route[] {
  return implement(contract.vulnerabilities, {
    async listVulnerabilities({ query }, call) {
      const { q: text, severity, fixable, folder, since, sort, limit, cursor } = query;
      const { items, nextCursor } = await service.list(call.principal, {
        kev: query.kev === 'true',
        minEpss: query.min_epss,
        text,
        severity,
        fixable: fixable === undefined ? undefined : fixable === 'true',
        folder,
        since: since === undefined ? undefined : new Date(since),
        sort,
        limit,
        cursor,
      });
      announcePage(call, { nextCursor, total: null });
      return items;
    },

    async getVulnerability({ params: { id }, query }, call) {
      const found = await service.get(call.principal, id, query);
      announcePage(call, { nextCursor: found.nextCursor, total: null });
      return { ...found, id };
    },
  });
}
