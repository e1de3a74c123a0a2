/**
 * Judges images by the newest report of their digest: under the policy of the folder or registry
 * that they are in, the waivers in force and the threat feeds.
 */
import {
  defaultPolicy,
  folderOf,
  LOCAL_REGISTRY_ID,
  type Policy,
  type ScanPolicy,
  type SeverityCounts,
  type Standing,
  standingOf,
  type ThreatFeeds,
  type Verdict,
} from '@portcullis/domain';
import { singleFlight } from '@portcullis/runtime';
import type { Store, StoredPolicy } from '@portcullis/store';

export interface StandingPorts {
  store: {
    reports: Pick<Store['reports'], 'facts'>;
    folders: Pick<Store['folders'], 'gates'>;
    registries: Pick<Store['registries'], 'list'>;
    policies: Pick<Store['policies'], 'list'>;
    waivers: Pick<Store['waivers'], 'inForce'>;
  };
  policy(): Promise<ScanPolicy>;
  feeds(): ThreatFeeds;
  now(): Date;
}

export interface PlacedImage {
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
    const [gates, registries, policies, waivers, settings] = await Promise.all([
      store.folders.gates(),
      store.registries.list(),
      store.policies.list(),
      store.waivers.inForce(now()),
      policy(),
    ]);
    const named = new Map(policies.map((each) => [each.id, toPolicy(each)]));
    const ofRegistry = new Map(registries.map(({ id, policyId }) => [id, policyId]));
    return { gates, folders: new Set(gates.keys()), ofRegistry, named, waivers, settings };
  });

  async function judge(images: readonly PlacedImage[]): Promise<(Judged | null)[]> {
    if (images.length === 0) return [];
    const [known, current] = await Promise.all([
      store.reports.facts(images.map(({ digest }) => digest)),
      rules(),
    ]);
    const { gates, folders, ofRegistry, named, waivers, settings } = current;
    const byDefault = defaultPolicy(settings);
    return images.map(({ registryId, repository, digest }) => {
      const { report, lastScanFailed } = known.get(digest) ?? NOTHING;
      if (!report)
        return lastScanFailed ? { verdict: 'error', report: null, standing: null } : null;
      const folder = registryId === LOCAL_REGISTRY_ID ? folderOf(repository, folders) : null;
      const id = folder === null ? ofRegistry.get(registryId) : gates.get(folder)?.policyId;
      const standing = standingOf({
        facts: report.facts,
        policy: named.get(id ?? '') ?? byDefault,
        waivers,
        feeds: feeds(),
        image: { digest, repository, folder },
        now: now(),
      });
      const { counts, scannedAt } = report;
      const { verdict } = standing;
      return { verdict, report: { verdict, counts, scannedAt }, standing };
    });
  }

  /** Null without a report. */
  async function standing(image: PlacedImage): Promise<JudgedReport | null> {
    const [judged] = await judge([image]);
    return judged?.report ?? null;
  }

  /** Without a report, the state of the newest staging job applies, such as skipped or failed. */
  async function judged<T extends { digest: string; verdict: Verdict | null }>(
    images: T[],
    placeOf: (image: T) => Omit<PlacedImage, 'digest'>,
  ): Promise<T[]> {
    const known = await judge(images.map((image) => ({ ...placeOf(image), digest: image.digest })));
    return images.map((image, at) => ({
      ...image,
      verdict: known[at]?.verdict ?? image.verdict,
    }));
  }

  /** The same for tags, with the reasons. */
  async function judgedTags<T extends { digest: string; verdict: Verdict | null }>(
    images: T[],
    place: Omit<PlacedImage, 'digest'>,
  ): Promise<(T & { judgement: TagJudgement | null })[]> {
    const known = await judge(images.map(({ digest }) => ({ ...place, digest })));
    return images.map((image, at) => {
      const { verdict = image.verdict, report = null, standing = null } = known[at] ?? {};
      const judgement = report && standing && { standing, scannedAt: report.scannedAt };
      return { ...image, verdict, judgement };
    });
  }

  return { standing, judged, judgedTags };
}

interface Judged {
  verdict: Verdict;
  report: JudgedReport | null;
  /** Null without a report. */
  standing: Standing | null;
}

export interface TagJudgement {
  standing: Standing;
  scannedAt: Date;
}

const NOTHING = { report: null, lastScanFailed: false };

function toPolicy({ id, name, version, rules }: StoredPolicy): Policy {
  return { ...rules, id, name, version: String(version) };
}
