import { contract, type InputOf } from '@portcullis/contract';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import { streamText } from '../../http/stream-text.ts';
import { CSV, csvOf } from './csv.ts';
import type { VulnerabilityService } from './service.ts';

export function vulnerabilityRoutes(service: VulnerabilityService): Route[] {
  return implement(contract.vulnerabilities, {
    async listVulnerabilities({ query: { limit, cursor, ...query } }, call) {
      const filter = { ...filterOf(query), limit, cursor };
      const { items, nextCursor } = await service.list(call.principal, filter);
      announcePage(call, { nextCursor, total: null });
      return items;
    },

    async exportVulnerabilities({ query }, call) {
      await streamText(call, CSV, csvOf(service.all(call.principal, filterOf(query))));
      return undefined;
    },

    async getVulnerability({ params: { id }, query }, call) {
      const found = await service.get(call.principal, id, query);
      announcePage(call, { nextCursor: found.nextCursor, total: null });
      return { ...found, id };
    },
  });
}

type Query = InputOf<typeof contract.vulnerabilities.exportVulnerabilities>['query'];

function filterOf({ q: text, kev, min_epss: minEpss, fixable, since, ...rest }: Query) {
  return {
    ...rest,
    ...{ text, minEpss, kev: kev === 'true' },
    fixable: fixable === undefined ? undefined : fixable === 'true',
    since: since === undefined ? undefined : new Date(since),
  };
}
