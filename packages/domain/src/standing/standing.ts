/**
 * Standings: the verdict of an image's report under a policy and the waivers in force, now, with
 * everything that led to it. Pure: the same input has the same standing.
 */
import {
  FEED_KINDS,
  type FeedKind,
  isStale,
  staleAt,
  type ThreatFeeds,
} from '../feeds/threat-feeds.ts';
import { isCovered, verdictOf } from '../policy/verdict.ts';
import type { RatedVerdict } from '../policy/vulnerability.ts';
import type { Authorities, SignatureFacts } from '../signatures/signature-facts.ts';
import { type ImageSignatures, signaturesOf } from '../signatures/signature-policy.ts';
import { type JudgedImage, missOf, type Waiver, type WaiverMiss } from '../waivers/waiver.ts';
import { ageOf, type ImageAge } from './cooldown.ts';
import { feedsOf, type Policy, type PolicyRules } from './policy.ts';
import type { Finding, ReportFacts } from './report-facts.ts';
import { ageMatchesAt, bySeverity, type MatchContext, matchesRule } from './rule-match.ts';

/** A finding that a rule matches. */
export interface MatchedFinding {
  finding: Finding;
  /** Position of the first rule that matches. */
  rule: number;
  /** Waivers of the same vulnerability that don't cover it. */
  misses: { waiverId: string; miss: WaiverMiss }[];
}

/** A finding that would block without a waiver. */
export interface WaivedFinding {
  finding: Finding;
  rule: number;
  waiverId: string;
  until: Date;
}

export interface Standing extends ImageAge, ImageSignatures {
  verdict: RatedVerdict;
  blocking: MatchedFinding[];
  warned: MatchedFinding[];
  waived: WaivedFinding[];
  /** Feeds that a rule needs and that are missing or too old: their terms match everything. */
  missingFeeds: FeedKind[];
  /** The first moment at which the same input may have another standing; null: never. */
  validUntil: Date | null;
}

export interface StandingInput {
  facts: ReportFacts;
  policy: Policy;
  /** May contain waivers of other vulnerabilities and scopes. */
  waivers: readonly Waiver[];
  feeds: ThreatFeeds;
  image: JudgedImage;
  /** When this installation first saw the digest; null where it is unknown. */
  sightedAt: Date | null;
  /** Null where its signatures were not asked for yet. */
  signatures: SignatureFacts | null;
  authorities: Authorities;
  now: Date;
}

export function standingOf(input: StandingInput): Standing {
  const { facts, policy, feeds, now } = input;
  const missingFeeds = missingFeedsOf(policy, feeds, now);
  const context: MatchContext = {
    kev: missingFeeds.includes('kev') ? null : feeds.kev,
    epss: missingFeeds.includes('epss') ? null : feeds.epss,
    now,
  };
  const blocking: MatchedFinding[] = [];
  const waived: WaivedFinding[] = [];
  const warned: MatchedFinding[] = [];
  const waiversOf = Map.groupBy(input.waivers, ({ vulnerability }) => vulnerability);
  for (const finding of facts.findings.toSorted(bySeverity)) {
    const rule = firstMatch(policy, 'block', finding, context);
    if (rule === null) {
      const warning = firstMatch(policy, 'warn', finding, context);
      if (warning !== null) warned.push({ finding, rule: warning, misses: [] });
      continue;
    }
    const judged = waive(finding, waiversOf.get(finding.id) ?? [], input);
    if ('waiver' in judged) {
      const { id: waiverId, expiresAt: until } = judged.waiver;
      waived.push({ finding, rule, waiverId, until });
    } else blocking.push({ finding, rule, misses: judged.misses });
  }
  const verdict = verdictOf({
    isBlocked: blocking.length > 0,
    isCovered: isCovered(facts, policy),
    isEmpty: facts.findings.length === 0,
  });
  const age = ageOf(input);
  const signed = signaturesOf(input);
  const validUntil = nextChange({ ...input, ...age, ...signed, blocking, waived });
  return { verdict, blocking, warned, waived, missingFeeds, ...age, ...signed, validUntil };
}

/** The waivers that it passes by, beside those of findings. */
export function waiversBeside({
  ageWaiver,
  signatureWaiver,
}: Pick<Standing, 'ageWaiver' | 'signatureWaiver'>): { waiverId: string; until: Date }[] {
  return [ageWaiver, signatureWaiver].filter((each) => each !== null);
}

/** Feeds that a rule names and that can't be used. */
export function missingFeedsOf(policy: PolicyRules, feeds: ThreatFeeds, now: Date): FeedKind[] {
  const needed = feedsOf(policy);
  return FEED_KINDS.filter((kind) => needed[kind] && isStale(feeds[kind], now));
}

function firstMatch(
  { rules }: Policy,
  action: 'block' | 'warn',
  finding: Finding,
  context: MatchContext,
): number | null {
  const at = rules.findIndex(
    (rule) => rule.action === action && matchesRule(rule, finding, context),
  );
  return at < 0 ? null : at;
}

/** The covering waiver that ends last, or why none covers the finding. */
function waive(
  finding: Finding,
  waivers: readonly Waiver[],
  { image, now }: Pick<StandingInput, 'image' | 'now'>,
): { waiver: Waiver } | { misses: MatchedFinding['misses'] } {
  // The waivers of other folders are not for those who read why this image is blocked.
  const known = waivers.filter(({ folder }) => folder === null || folder === image.folder);
  const judged = known.map((waiver) => ({ waiver, miss: missOf(waiver, finding, image, now) }));
  const [covering] = judged
    .filter(({ miss }) => miss === null)
    .sort((one, other) => other.waiver.expiresAt.getTime() - one.waiver.expiresAt.getTime());
  if (covering) return { waiver: covering.waiver };
  return {
    misses: judged.flatMap(({ waiver: { id }, miss }) =>
      miss === null ? [] : [{ waiverId: id, miss }],
    ),
  };
}

/**
 * Waivers end, findings and images grow older, feeds become too old. The end of a waiver that
 * covers nothing changes the reason why it does not.
 */
function nextChange({
  facts,
  policy,
  waivers,
  feeds,
  blocking,
  waived,
  waitsUntil,
  ageWaiver,
  signaturesUntil,
  now,
}: StandingInput &
  ImageAge &
  ImageSignatures &
  Pick<Standing, 'blocking' | 'waived'>): Date | null {
  const missed = new Set(blocking.flatMap(({ misses }) => misses.map(({ waiverId }) => waiverId)));
  const needed = feedsOf(policy);
  const moments = [
    ...[waitsUntil, ageWaiver?.until, signaturesUntil].flatMap((moment) =>
      moment ? [moment.getTime()] : [],
    ),
    ...waived.map(({ until }) => until.getTime()),
    ...waivers.filter(({ id }) => missed.has(id)).map(({ expiresAt }) => expiresAt.getTime()),
    ...FEED_KINDS.flatMap((kind) => {
      const feed = feeds[kind];
      return needed[kind] && feed ? [staleAt(feed).getTime()] : [];
    }),
    ...policy.rules
      .filter(({ minAgeDays }) => minAgeDays !== null)
      .flatMap((rule) => facts.findings.map((finding) => ageMatchesAt(rule, finding))),
  ];
  const next = moments.reduce(
    (soonest, moment) => (moment > now.getTime() && moment < soonest ? moment : soonest),
    Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(next) ? new Date(next) : null;
}
