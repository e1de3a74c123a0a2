/** Vulnerabilities of tagged images of the built-in registry that the caller may pull. */
import { foldersWith, type Principal, riskOf, type ThreatFeeds } from '@portcullis/domain';
import type { Store, VulnerabilityFilter } from '@portcullis/store';
import {
  type DetailPage,
  type ExposurePorts,
  type KnownVulnerability,
  vulnerabilityDetail,
} from './detail.ts';
import { scoresOf, threatOf } from './scores.ts';

interface VulnerabilityPorts extends ExposurePorts {
  store: ExposurePorts['store'] & { vulnerabilities: Store['vulnerabilities'] };
}

interface ThreatFilter {
  /** Only those of the KEV catalog. */
  kev?: boolean | undefined;
  /** Only those with this EPSS probability or more. */
  minEpss?: number | undefined;
}

type ListQuery = Omit<VulnerabilityFilter, 'folders'> & ThreatFilter;

interface ListedPage {
  items: KnownVulnerability[];
  nextCursor: string | null;
}

export interface ExportBatch {
  items: KnownVulnerability[];
  /** More match than an export has. */
  isCut: boolean;
}

/** Each batch counts all images: few batches, and as many rows as memory holds easily. */
const EXPORTED_AT_ONCE = 5_000;
export const MOST_EXPORTED = 50_000;

type ThreatQuery = ThreatFilter & Pick<VulnerabilityFilter, 'sort' | 'since' | 'text'>;

/** As many as a list names cost less than to look for a text in all findings once more. */
const MOST_NAMED = 2_000;

/** What orders by feeds are by. */
const SCORES: Record<string, (id: string, feeds: ThreatFeeds) => number | null> = {
  risk: riskOf,
  epss: (id, { epss }) => epss?.score(id) ?? null,
};

export type VulnerabilityService = ReturnType<typeof createVulnerabilityService>;

export function createVulnerabilityService(ports: VulnerabilityPorts) {
  const { store, feeds, now } = ports;

  /** What the feeds say of the known ones, as far as the query asks it. */
  async function threats(query: ThreatQuery) {
    const { kev: isExploited = false, minEpss, sort = '-risk', since, text } = query;
    const scoreOf = SCORES[sort.replace('-', '')];
    const current = feeds();
    const isFiltered = isExploited || minEpss !== undefined;
    const hasFeed = current.kev !== null || current.epss !== null;
    const isNeeded = hasFeed && (isFiltered || scoreOf !== undefined);
    const known = isNeeded ? await store.vulnerabilities.known({ since, text }) : [];
    const isNamed = (id: string): boolean => {
      const { kev, epss } = threatOf(id, current);
      return (!isExploited || kev === true) && (minEpss === undefined || (epss ?? -1) >= minEpss);
    };
    const named = isFiltered ? known.filter(isNamed) : known;
    const isFound = isNeeded && text !== undefined && named.length <= MOST_NAMED;
    return {
      ids: isFiltered || isFound ? named : undefined,
      scores: scoreOf && scoresOf(named, (id) => scoreOf(id, current)),
    };
  }

  async function list(
    principal: Principal,
    { kev: isExploited, minEpss, ...query }: ListQuery,
  ): Promise<ListedPage> {
    const folders = readable(principal);
    const named = await threats({ ...query, kev: isExploited, minEpss });
    const [found, inForce] = await Promise.all([
      store.vulnerabilities.list({ ...query, ...named, folders }),
      store.waivers.inForce(now()),
    ]);
    const visible = inForce.filter(
      ({ folder }) => folder === null || folders === 'all' || folders.includes(folder),
    );
    const byId = Map.groupBy(visible, ({ vulnerability }) => vulnerability);
    const current = feeds();
    const items = found.items.map(
      (each): KnownVulnerability => ({
        ...each,
        ...threatOf(each.id, current),
        waivers: byId.get(each.id)?.length ?? 0,
      }),
    );
    return { ...found, items };
  }

  async function get(principal: Principal, id: string, page: DetailPage) {
    const { items } = await list(principal, { id, sort: 'id', limit: 1 });
    return vulnerabilityDetail(principal, { id, summary: items[0] ?? null, page }, ports);
  }

  /** In the order of the list, in batches, each queried on demand. */
  async function* all(principal: Principal, query: ListQuery): AsyncGenerator<ExportBatch> {
    let cursor: string | undefined;
    for (let count = 0; count < MOST_EXPORTED; count += EXPORTED_AT_ONCE) {
      const batch = EXPORTED_AT_ONCE;
      const page: ListedPage = await list(principal, { ...query, batch, cursor });
      cursor = page.nextCursor ?? undefined;
      const isCut = cursor !== undefined && count + batch >= MOST_EXPORTED;
      yield { items: page.items, isCut };
      if (cursor === undefined) return;
    }
  }

  return { list, all, get };
}

function readable({ isAdmin, grants }: Principal): 'all' | string[] {
  return isAdmin ? 'all' : foldersWith(grants, 'pull');
}
