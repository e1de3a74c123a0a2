/** Vulnerabilities of tagged images of the built-in registry that the caller may pull. */
import {
  foldersWith,
  isAbout,
  isFor,
  LOCAL_REGISTRY_ID,
  type Principal,
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

const MOST_OWNERS = 10;

export type VulnerabilityService = ReturnType<typeof createVulnerabilityService>;

export function createVulnerabilityService(ports: VulnerabilityPorts) {
  const { store, standings, feeds, now } = ports;

  /** What the feeds say of the known ones, as far as the query asks it. */
  async function threats({ kev: isExploited = false, minEpss, sort }: ThreatQuery) {
    const isByScore = sort === 'epss' || sort === '-epss';
    const isFiltered = isExploited || minEpss !== undefined;
    const known = isByScore || isFiltered ? await store.vulnerabilities.known() : [];
    const { kev, epss } = feeds();
    const scoreOf = (id: string) => epss?.score(id) ?? -1;
    const named = known.filter(
      (id) =>
        (!isExploited || kev?.has(id) === true) &&
        (minEpss === undefined || scoreOf(id) >= minEpss),
    );
    return {
      ids: isFiltered ? named : undefined,
      epss: isByScore ? scoresOf(named, epss) : undefined,
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
    const { kev, epss } = feeds();
    const items = found.items.map(
      (each): KnownVulnerability => ({
        ...each,
        kev: kev?.has(each.id) ?? null,
        epss: epss?.score(each.id) ?? null,
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
      list(principal, { id, limit: 1 }),
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

function scoresOf(ids: readonly string[], epss: ThreatFeeds['epss']): Map<string, number> {
  const scores = new Map<string, number>();
  for (const id of ids) {
    const score = epss?.score(id) ?? null;
    if (score !== null) scores.set(id, score);
  }
  return scores;
}
