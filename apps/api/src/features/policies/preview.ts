/** Judges the tagged images of folders by another policy, within bounds of number and time. */
import { setImmediate as pause } from 'node:timers/promises';
import {
  type Authorities,
  byVulnerability,
  type FeedKind,
  type Finding,
  type JudgedSubject,
  judgeSubject,
  missingFeedsOf,
  type Policy,
  type PolicyEffect,
  type PolicyRules,
  policyEffect,
  type Standing,
  type SubjectJudgement,
  type ThreatFeeds,
} from '@portcullis/domain';
import { type GateRules, taggedSubject } from '@portcullis/gate';
import type { DigestFacts, Store, TaggedDigest } from '@portcullis/store';
import { fieldInvalid } from '../../http/problem.ts';
import { assertAuthorities, toPolicy } from './service.ts';

export interface PreviewPorts {
  store: {
    policies: Pick<Store['policies'], 'find'>;
    folders: Pick<Store['folders'], 'names'>;
    images: Pick<Store['images'], 'taggedDigests' | 'countTaggedDigests' | 'tagNames'>;
    reports: Pick<Store['reports'], 'facts'>;
    authorities: Pick<Store['authorities'], 'current'>;
  };
  /** What the doors of the gate judge by now. */
  rules(): Promise<GateRules>;
  feeds(): ThreatFeeds;
  now(): Date;
  /** Milliseconds of a clock that is never set. */
  clock(): number;
}

/** With terms: those of a draft. Without: those of the policy, for the folder. */
export interface PreviewQuestion {
  policyId: string | null | undefined;
  folder: string | undefined;
  terms: PolicyRules | undefined;
}

export interface ChangedImage extends PolicyEffect {
  folder: string;
  repository: string;
  digest: string;
  tags: string[];
  findings: Finding[];
  findingsTotal: number;
}

export interface Preview {
  images: number;
  judged: number;
  complete: boolean;
  unscanned: number;
  blocked: number;
  allowed: number;
  folders: { folder: string; blocked: number; allowed: number }[];
  items: ChangedImage[];
  missingFeeds: FeedKind[];
}

const IMAGES_PER_QUERY = 50;
/** Other requests of the process wait while they are judged. */
const IMAGES_AT_ONCE = 5;
const MOST_IMAGES = 20_000;
const MOST_MS = 5_000;
const MOST_NAMED = 10;
const MOST_TAGS = 20;
const MOST_FINDINGS = 3;

type Change = Omit<ChangedImage, 'tags'>;

export function createPolicyPreview(ports: PreviewPorts) {
  const { store } = ports;

  /** @param left Aborted when the client leaves. */
  return async function preview(question: PreviewQuestion, left: AbortSignal): Promise<Preview> {
    const rules = await ports.rules();
    const after = await policyAfter(question, rules);
    const folders = await foldersOf(question, rules);
    const total = await store.images.countTaggedDigests(folders);
    const authorities = await store.authorities.current();
    const comparison = { rules, after, feeds: ports.feeds(), authorities, now: ports.now() };
    const counted = await judgeAll(folders, comparison, left);
    const named = (['blocked', 'allowed'] as const).flatMap((wanted) =>
      counted.changes.filter(({ change }) => change === wanted).slice(0, MOST_NAMED),
    );
    return {
      ...counted,
      images: total,
      ...totals(counted.changes),
      items: await Promise.all(named.map(withTags)),
      missingFeeds: missingFeedsOf(after, comparison.feeds, comparison.now),
    };
  };

  async function policyAfter({ policyId, terms }: PreviewQuestion, rules: GateRules) {
    const given = policyId == null ? rules.defaultPolicy : await findPolicy(policyId);
    if (terms) await assertAuthorities(terms, store.authorities, 'draft.');
    return terms ? { ...given, ...terms } : given;
  }

  async function findPolicy(id: string): Promise<Policy> {
    const found = await store.policies.find(id);
    if (found) return toPolicy(found);
    throw fieldInvalid('policy_id', 'POLICY_UNKNOWN', 'There is no policy with this id.');
  }

  async function foldersOf(
    { policyId, folder, terms }: PreviewQuestion,
    rules: GateRules,
  ): Promise<string[]> {
    const names = await store.folders.names();
    if (folder !== undefined) {
      if (names.includes(folder)) return [folder];
      throw fieldInvalid('folder', 'FOLDER_UNKNOWN', 'There is no such folder.', { folder });
    }
    if (policyId === undefined || !terms) return names;
    return names.filter((name) => rules.policyOf({ folder: name }).id === policyId);
  }

  async function judgeAll(folders: string[], comparison: Comparison, left: AbortSignal) {
    const end = ports.clock() + MOST_MS;
    const changes: Change[] = [];
    const counted = { judged: 0, unscanned: 0 };
    let after: TaggedDigest | undefined;
    for (;;) {
      left.throwIfAborted();
      const places = await store.images.taggedDigests({ folders, after, limit: IMAGES_PER_QUERY });
      const facts = await store.reports.facts(places.map(({ digest }) => digest));
      for (const [at, place] of places.entries()) {
        if (at % IMAGES_AT_ONCE === 0) await pause();
        left.throwIfAborted();
        const compared = compare(place, facts.get(place.digest), comparison);
        if (compared.isUnscanned) counted.unscanned += 1;
        if (compared.change) changes.push(compared.change);
      }
      counted.judged += places.length;
      after = places.at(-1);
      if (places.length < IMAGES_PER_QUERY) return { ...counted, changes, complete: true };
      if (counted.judged >= MOST_IMAGES || ports.clock() > end)
        return { ...counted, changes, complete: false };
    }
  }

  async function withTags(change: Change): Promise<ChangedImage> {
    const named = await store.images.tagNames(change.repository, change.digest);
    return { ...change, tags: named.slice(0, MOST_TAGS).map(({ tag }) => tag) };
  }
}

interface Comparison {
  rules: GateRules;
  after: Policy;
  feeds: ThreatFeeds;
  /** Also those that only the draft asks. */
  authorities: Authorities;
  now: Date;
}

function compare(place: TaggedDigest, known: DigestFacts | undefined, comparison: Comparison) {
  const { rules, after, feeds, authorities, now } = comparison;
  const judged = [rules.policyOf(place), after].map((policy) => {
    const { waivers } = rules;
    const subject = taggedSubject(place, known, { policy, waivers, feeds, authorities, now });
    return { subject, judgement: judgeSubject({ subject, policy, now }) };
  });
  const [one, other] = judged as [Judged, Judged];
  const effect = policyEffect(one.judgement, other.judgement);
  const blocking = effect?.change === 'blocked' ? other.subject : one.subject;
  return {
    isUnscanned: one.judgement.passes === null,
    change: effect && { ...effect, ...whereOf(place), ...findingsOf(blocking) },
  };
}

interface Judged {
  subject: JudgedSubject;
  judgement: SubjectJudgement;
}

function whereOf({ folder, repository, digest }: TaggedDigest) {
  return { folder, repository, digest };
}

function findingsOf(subject: JudgedSubject) {
  const standing: Standing | null = subject.kind === 'image' ? subject.standing : null;
  const blocking = byVulnerability(standing?.blocking ?? []);
  const findings = blocking.slice(0, MOST_FINDINGS).map(({ first }) => first.finding);
  return { findings, findingsTotal: blocking.length };
}

function totals(changes: readonly Change[]) {
  const count = (of: readonly Change[]) => {
    const blocked = of.filter(({ change }) => change === 'blocked').length;
    return { blocked, allowed: of.length - blocked };
  };
  const folders = [...Map.groupBy(changes, ({ folder }) => folder)]
    .map(([folder, of]) => ({ folder, ...count(of) }))
    .toSorted((one, other) => (one.folder < other.folder ? -1 : 1));
  return { ...count(changes), folders };
}
