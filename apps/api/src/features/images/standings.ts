/**
 * Judges images by the newest report of their digest: under the policy of the folder or registry
 * that they are in, the waivers in force and the threat feeds.
 */
import {
  type DestinationStanding,
  defaultPolicy,
  folderOf,
  LOCAL_REGISTRY_ID,
  type Policy,
  type ScanPolicy,
  type SeverityCounts,
  standingOf,
  type ThreatFeeds,
  type Verdict,
} from '@portcullis/domain';
import { hasFailedScan, NEVER_SCANNED } from '@portcullis/gate';
import { singleFlight } from '@portcullis/runtime';
import type { Store, StoredPolicy } from '@portcullis/store';
import { judgeTag, type TagJudgement, verdictOfTag } from './tag-standing.ts';

export interface StandingPorts {
  store: {
    reports: Pick<Store['reports'], 'facts'>;
    folders: Pick<Store['folders'], 'gates'>;
    registries: Pick<Store['registries'], 'list'>;
    policies: Pick<Store['policies'], 'list'>;
    authorities: Pick<Store['authorities'], 'current'>;
    waivers: Pick<Store['waivers'], 'inForce'>;
    standings: Pick<Store['standings'], 'announced'>;
  };
  policy(): Promise<ScanPolicy>;
  feeds(): ThreatFeeds;
  now(): Date;
}

export interface StoredImageName {
  /** Of the built-in registry, or of a saved one. */
  registryId: string;
  repository: string;
  digest: string;
}

export interface JudgedReport {
  verdict: Verdict;
  counts: SeverityCounts;
  scannedAt: Date;
}

export type Standings = ReturnType<typeof createStandings>;

export function createStandings({ store, policy, feeds, now }: StandingPorts) {
  /** For concurrent requests alone: nothing is kept. */
  const rules = singleFlight(async () => {
    const [gates, registries, policies, authorities, waivers, settings] = await Promise.all([
      store.folders.gates(),
      store.registries.list(),
      store.policies.list(),
      store.authorities.current(),
      store.waivers.inForce(now()),
      policy(),
    ]);
    const named = new Map(policies.map((each) => [each.id, toPolicy(each)]));
    const ofRegistry = new Map(registries.map(({ id, policyId }) => [id, policyId]));
    const folders = new Set(gates.keys());
    return { gates, folders, ofRegistry, named, authorities, waivers, settings };
  });

  async function judge(images: readonly StoredImageName[]): Promise<(Judged | null)[]> {
    if (images.length === 0) return [];
    const [known, current] = await Promise.all([
      store.reports.facts(images.map(({ digest }) => digest)),
      rules(),
    ]);
    const { gates, folders, ofRegistry, named, authorities, waivers, settings } = current;
    const byDefault = defaultPolicy(settings);
    return images.map(({ registryId, repository, digest }) => {
      const scans = known.get(digest) ?? NEVER_SCANNED;
      const { report, sightedAt, signatures } = scans;
      const isFailed = registryId === LOCAL_REGISTRY_ID && hasFailedScan(scans, repository);
      if (!report) return isFailed ? { verdict: 'error', report: null } : null;
      const folder = registryId === LOCAL_REGISTRY_ID ? folderOf(repository, folders) : null;
      const id = folder === null ? ofRegistry.get(registryId) : gates.get(folder)?.policyId;
      const { verdict } = standingOf({
        facts: report.facts,
        policy: named.get(id ?? '') ?? byDefault,
        waivers,
        feeds: feeds(),
        image: { digest, repository, folder },
        ...{ sightedAt, signatures, authorities },
        now: now(),
      });
      const { counts, scannedAt } = report;
      return { verdict, report: { verdict, counts, scannedAt } };
    });
  }

  /** Null without a report. */
  async function standing(image: StoredImageName): Promise<JudgedReport | null> {
    const [judged] = await judge([image]);
    return judged?.report ?? null;
  }

  /** Without a report, the state of the newest staging job applies, such as skipped or failed. */
  async function withVerdicts<T extends { digest: string; verdict: Verdict | null }>(
    images: T[],
    placeOf: (image: T) => Omit<StoredImageName, 'digest'>,
  ): Promise<T[]> {
    const known = await judge(images.map((image) => ({ ...placeOf(image), digest: image.digest })));
    return images.map((image, at) => ({
      ...image,
      verdict: known[at]?.verdict ?? image.verdict,
    }));
  }

  /** Of the built-in registry, with the reasons, in a fixed number of queries. */
  async function judgedTags<T extends { digest: string; verdict: Verdict | null }>(
    repository: string,
    tags: readonly T[],
  ): Promise<(T & { judgement: TagJudgement })[]> {
    const digests = [...new Set(tags.map(({ digest }) => digest))];
    const [facts, rows, current] = await Promise.all([
      store.reports.facts(digests),
      store.standings.announced(repository, digests),
      rules(),
    ]);
    const { gates, folders, named, authorities, waivers, settings } = current;
    const announced = new Map(rows.map((row) => [row.digest, row]));
    const folder = folderOf(repository, folders);
    const policy = named.get(gates.get(folder)?.policyId ?? '') ?? defaultPolicy(settings);
    const judging = { policy, waivers, feeds: feeds(), authorities, now: now() };
    return tags.map((tag) => {
      const { digest } = tag;
      const known = { facts: facts.get(digest), announced: announced.get(digest) };
      const judgement = judgeTag({ repository, folder, digest }, known, judging);
      return { ...tag, verdict: verdictOfTag(judgement) ?? tag.verdict, judgement };
    });
  }

  /** Images of the built-in registry by the policies of their folders, in two queries. */
  async function answers<T extends { repository: string; digest: string; isArtifact: boolean }>(
    images: readonly T[],
  ): Promise<(T & { answer: DestinationStanding })[]> {
    const [facts, current] = await Promise.all([
      store.reports.facts(images.map(({ digest }) => digest)),
      rules(),
    ]);
    const { gates, folders, named, authorities, waivers, settings } = current;
    const byDefault = defaultPolicy(settings);
    return images.map((image) => {
      const { repository, digest, isArtifact } = image;
      const folder = folderOf(repository, folders);
      const policy = named.get(gates.get(folder)?.policyId ?? '') ?? byDefault;
      const judging = { policy, waivers, feeds: feeds(), authorities, now: now() };
      const announced = { digest, isArtifact, passes: null, since: null, graceUntil: null };
      const known = { facts: facts.get(digest), announced };
      const { answer } = judgeTag({ repository, folder, digest }, known, judging);
      return { ...image, answer };
    });
  }

  return { standing, judged: withVerdicts, judgedTags, answers };
}

interface Judged {
  verdict: Verdict;
  report: JudgedReport | null;
}

function toPolicy({ id, name, version, rules }: StoredPolicy): Policy {
  return { ...rules, id, name, version: String(version) };
}
