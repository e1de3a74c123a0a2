/** One vulnerability: what is known of it, where it is, whose that is, and what accepts it. */
import {
  foldersWith,
  isAbout,
  isFor,
  LOCAL_REGISTRY_ID,
  type Principal,
  reviewViewer,
  type ThreatFeeds,
  type Verdict,
} from '@portcullis/domain';
import type {
  AffectedImage,
  FoundVulnerability,
  StagedImage,
  Store,
  StoredWaiver,
} from '@portcullis/store';
import type { Standings } from '../images/standings.ts';
import type { JobStandings, ShownStanding } from '../staging/standings/job-standings.ts';

export interface ExposurePorts {
  store: {
    vulnerabilities: Pick<Store['vulnerabilities'], 'owners'>;
    advisories: Pick<Store['advisories'], 'find'>;
    exposure: Store['exposure'];
    waivers: Pick<Store['waivers'], 'inForce'>;
    users: Pick<Store['users'], 'names'>;
    jobs: Pick<Store['jobs'], 'summaries'>;
    reviews: Pick<Store['reviews'], 'count'>;
  };
  jobStandings: Pick<JobStandings, 'ofAll'>;
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

export interface JudgedAffected extends AffectedImage {
  verdict: Verdict | null;
  waivers: { id: string; approvedBy: (string | null)[]; expiresAt: Date }[];
}

export interface StandingStaged extends StagedImage {
  standing: ShownStanding;
}

export interface DetailPage {
  limit: number;
  cursor?: string | undefined;
}

const MOST_OWNERS = 10;

export async function vulnerabilityDetail(
  principal: Principal,
  { id, summary, page }: { id: string; summary: KnownVulnerability | null; page: DetailPage },
  { store, standings, jobStandings, feeds, now }: ExposurePorts,
) {
  const { isAdmin } = principal;
  const folders = isAdmin ? 'all' : foldersWith(principal.grants, 'pull');
  const [found, places, staged, advisory, inForce, reviews] = await Promise.all([
    store.exposure.images({ ...page, id, folders }),
    store.exposure.counts({ id, folders }),
    store.exposure.staged(id, isAdmin ? null : principal.id),
    store.advisories.find(id),
    store.waivers.inForce(now()),
    store.reviews.count({ q: id, visibleTo: reviewViewer(principal) }, now()),
  ]);
  const about = inForce.filter(({ vulnerability }) => vulnerability === id);
  const names = await store.users.names(
    about.flatMap(({ approvals }) => approvals.map(({ accountId }) => accountId)),
  );
  const unjudged = found.items.map((image): JudgedAffected => {
    const waivers = about.filter((waiver) => covers(waiver, id, image));
    const seen = withoutNames(image, principal);
    return { ...seen, verdict: null, waivers: waivers.map((each) => coverOf(each, names)) };
  });
  const affected = await standings.judged(unjudged, ({ repository }) => ({
    registryId: LOCAL_REGISTRY_ID,
    repository,
  }));
  const [owners, stagedStandings] = await Promise.all([
    store.vulnerabilities.owners([...new Set(affected.map(({ folder }) => folder))], MOST_OWNERS),
    jobStandings.ofAll(principal, await store.jobs.summaries(staged.map(({ jobId }) => jobId))),
  ]);
  // Without an image or a review of the caller, not even that any image has it.
  const isKnown = summary !== null || staged.length > 0 || reviews > 0;
  return {
    vulnerability: summary,
    advisory: isKnown && advisory ? { ...advisory, links: advisory.links.map(toLink) } : null,
    kevAdded: feeds().kev?.added?.(id) ?? null,
    exposure: { places, staged: staged[0]?.all ?? 0 },
    staged: staged.map(
      (each): StandingStaged => ({ ...each, standing: stagedStandings.get(each.jobId) ?? null }),
    ),
    affected,
    images: affected.flatMap((image) => findingsOf(image, id)),
    owners: owners.map(({ owners: accounts, ...each }) => ({ ...each, accounts })),
    nextCursor: found.nextCursor,
  };
}

/** Each package with the vulnerability, as the search of findings lists it. */
function findingsOf({ packages, ...image }: JudgedAffected, vulnerability: string) {
  return packages.map(({ name, ...found }) => ({
    ...image,
    vulnerability,
    package: name,
    ...found,
  }));
}

/** Who pulled an image is for those who may change its folder. */
function withoutNames(image: AffectedImage, { isAdmin, grants }: Principal): AffectedImage {
  const isOwner = isAdmin || foldersWith(grants, 'push').includes(image.folder);
  if (isOwner || image.lastPull === null) return image;
  return { ...image, lastPull: { ...image.lastPull, by: null } };
}

function covers(waiver: StoredWaiver, id: string, image: AffectedImage): boolean {
  return (
    isFor(waiver, image) &&
    image.packages.some(({ name, installedVersion }) =>
      isAbout(waiver, { id, package: name, installedVersion }, image.digest),
    )
  );
}

function coverOf({ id, approvals, expiresAt }: StoredWaiver, names: ReadonlyMap<string, string>) {
  const approvedBy = approvals.map(({ accountId }) => names.get(accountId) ?? null);
  return { id, approvedBy, expiresAt };
}

function toLink(url: string) {
  return { url, host: new URL(url).host };
}
