/**
 * What an image fixes of the one before under its tag, for which a policy lets it pass before it is
 * old enough. Only what two reports show counts: a report with a gap, or a feed that can't be used,
 * shows nothing.
 */
import { isStale, type ThreatFeeds } from '../feeds/threat-feeds.ts';
import type { Authorities } from '../signatures/signature-facts.ts';
import type { JudgedImage, Waiver } from '../waivers/waiver.ts';
import type { Policy } from './policy.ts';
import type { ReportFacts } from './report-facts.ts';
import { standingOf } from './standing.ts';

export interface FixQuestion {
  policy: Policy;
  /** What the tag leads to now. */
  before: { digest: string; facts: ReportFacts };
  after: ReportFacts;
  waivers: readonly Waiver[];
  feeds: ThreatFeeds;
  image: JudgedImage;
  now: Date;
}

/** The vulnerabilities that let it pass; empty where it has to wait. */
export function fixedIn(question: FixQuestion): string[] {
  const { policy, after } = question;
  if (policy.unlessFixes === 'none' || after.coverage !== 'full') return [];
  const left = new Set(after.findings.map(({ id }) => id));
  const harmful = policy.unlessFixes === 'kev' ? exploitedIn(question) : blockingIn(question);
  const fixed = harmful.filter((id) => !left.has(id));
  // An image that still has one of them is no fix of what blocks the one before.
  return policy.unlessFixes === 'blocking' && fixed.length < harmful.length ? [] : fixed;
}

/** Signatures are no finding. */
const NONE: Authorities = new Map();

function exploitedIn({ before, feeds: { kev }, now }: FixQuestion): string[] {
  if (kev === null || isStale(kev, now)) return [];
  return distinct(before.facts.findings.map(({ id }) => id)).filter((id) => kev.has(id));
}

function blockingIn({ before, policy, waivers, feeds, image, now }: FixQuestion): string[] {
  const { blocking } = standingOf({
    ...{ policy, waivers, feeds, now, sightedAt: null, signatures: null, authorities: NONE },
    facts: before.facts,
    image: { ...image, digest: before.digest },
  });
  return distinct(blocking.map(({ finding }) => finding.id));
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
