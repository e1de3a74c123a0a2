/** Vulnerabilities of tagged images of the built-in registry that the caller may pull. */
import {
  foldersWith,
  isAbout,
  isFor,
  LOCAL_REGISTRY_ID,
  type Principal,
  riskOf,
  type ThreatFeeds,
  type Verdict,
} from '@portcullis/domain';
import type {
  FoundVulnerability,
  ImageFinding,
  Store,
  StoredWaiver,
  VulnerabilityFilter,
} from '@portcullis/store';
import type { Standings } from '../images/standings.ts';
import { scoresOf, threatOf } from './scores.ts';

interface VulnerabilityPorts {
  store: {
    vulnerabilities: Store['vulnerabilities'];
    reports: Pick<Store['reports'], 'search'>;
    waivers: Pick<Store['waivers'], 'inForce'>;
    users: Pick<Store['users'], 'names'>;
  };
  standings: Pick<Standings, 'judged'>;
  feeds(): ThreatFeeds;
  now(): Date;
}

export interface KnownVulnerability extends FoundVulnerability {
  kev: boolean | null;
  epss: number | null;
  /** How many are in force. */
  waivers: number;
}

interface Cover {
  id: string;
  approvedBy: (string | null)[];
  expiresAt: Date;
}

export interface JudgedImageFinding extends ImageFinding {
  verdict: Verdict | null;
  waivers: Cover[];
}

interface ThreatFilter {
  /** Only those of the KEV catalog. */
  kev?: boolean | undefined;
  /** Only those with this EPSS probability or more. */
  minEpss?: number | undefined;
}

type ThreatQuery = ThreatFilter & Pick<VulnerabilityFilter, 'sort'>;

/** What orders by feeds are by. */
const SCORES: Record<string, (id: string, feeds: ThreatFeeds) => number | null> = {
  risk: riskOf,
  epss: (id, { epss }) => epss?.score(id) ?? null,
};

const MOST_OWNERS = 10;

export type VulnerabilityService = ReturnType<typeof createVulnerabilityService>;

export function createVulnerabilityService(ports: VulnerabilityPorts) {
  const { store, standings, feeds, now } = ports;

  /** What the feeds say of the known ones, as far as the query asks it. */
  async function threats({ kev: isExploited = false, minEpss, sort = '-risk' }: ThreatQuery) {
    const scoreOf = SCORES[sort.replace('-', '')];
    const current = feeds();
    const isFiltered = isExploited || minEpss !== undefined;
    const hasFeed = current.kev !== null || current.epss !== null;
    const isNeeded = hasFeed && (isFiltered || scoreOf !== undefined);
    const known = isNeeded ? await store.vulnerabilities.known() : [];
    const named = known.filter((id) => {
      const { kev, epss } = threatOf(id, current);
      return (!isExploited || kev === true) && (minEpss === undefined || (epss ?? -1) >= minEpss);
    });
    return {
      ids: isFiltered ? named : undefined,
      scores: scoreOf && scoresOf(named, (id) => scoreOf(id, current)),
    };
  }

  async function list(
    principal: Principal,
    { kev: isExploited, minEpss, ...query }: Omit<VulnerabilityFilter, 'folders'> & ThreatFilter,
  ) {
    const folders = readable(principal);
    const named = await threats({ kev: isExploited, minEpss, sort: query.sort });
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

  async function get(
    principal: Principal,
    id: string,
    page: { limit: number; cursor?: string | undefined },
  ) {
    const [{ items }, found, inForce] = await Promise.all([
      list(principal, { id, sort: 'id', limit: 1 }),
      store.reports.search({ ...page, vulnerability: id, folders: readable(principal) }),
      store.waivers.inForce(now()),
    ]);
    const about = inForce.filter(({ vulnerability }) => vulnerability === id);
    const names = await store.users.names(
      about.flatMap(({ approvals }) => approvals.map(({ accountId }) => accountId)),
    );
    const unjudged = found.items.map((place): JudgedImageFinding => {
      const waivers = about.filter((waiver) => covers(waiver, place));
      return { ...place, verdict: null, waivers: waivers.map((each) => coverOf(each, names)) };
    });
    const images = await standings.judged(unjudged, ({ repository }) => ({
      registryId: LOCAL_REGISTRY_ID,
      repository,
    }));
    const places = [...new Set(images.map(({ folder }) => folder))];
    const owners = await store.vulnerabilities.owners(places, MOST_OWNERS);
    return { vulnerability: items[0] ?? null, images, owners, nextCursor: found.nextCursor };
  }

  return { list, get };
}

function readable({ isAdmin, grants }: Principal): 'all' | string[] {
  return isAdmin ? 'all' : foldersWith(grants, 'pull');
}

function covers(waiver: StoredWaiver, place: ImageFinding): boolean {
  const { vulnerability: id, package: name, installedVersion, digest } = place;
  return isAbout(waiver, { id, package: name, installedVersion }, digest) && isFor(waiver, place);
}

function coverOf({ id, approvals, expiresAt }: StoredWaiver, names: ReadonlyMap<string, string>) {
  const approvedBy = approvals.map(({ accountId }) => names.get(accountId) ?? null);
  return { id, approvedBy, expiresAt };
}
