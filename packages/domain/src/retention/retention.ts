/**
 * Retention of tags: which tags of a repository the rule of its folder removes. See
 * docs/decisions/0068-retention-of-tags.md.
 */
import type { PatternOf } from '../transfer/immutable-tags.ts';
import { compareTags } from '../transfer/tag-order.ts';
import { matcher } from '../transfer/tag-selection.ts';

/** A tag that one of its terms keeps stays. At least one of the numbers is set. */
export interface RetentionRule {
  /** How many of the newest tags of each repository stay; null: this term keeps none. */
  keepNewest: number | null;
  /** For how many days after its last push a tag stays; null: this term keeps none. */
  keepDays: number | null;
  /** Globs, as `TagMatch` has them. */
  keep: readonly string[];
}

export interface RetainedTag {
  tag: string;
  digest: string;
  /** When it was last pushed or moved. */
  updatedAt: Date;
  /**
   * Reconciliation found it, at `updatedAt`: in a registry that was filled before, or after an
   * older database was restored. When it was pushed is not known.
   */
  found: boolean;
}

export interface RetentionContext {
  now: Date;
  /** The pattern that makes a tag immutable. */
  patternOf: PatternOf;
  /** The manifests that an index lists, by its digest; needed only where tags are attached. */
  children: ReadonlyMap<string, readonly string[]>;
}

const DAY_MS = 86_400_000;

/**
 * Signatures, attestations and SBOMs as cosign tags them, and the referrers tag schema of the
 * distribution specification: they belong to the manifest whose digest they name.
 */
const ATTACHED = /^sha256-([0-9a-f]{64})(?:\.[A-Za-z0-9._-]+)?$/;

/** The digest of the manifest that the tag belongs to; null for the tag of an image. */
export function subjectOfTag(tag: string): string | null {
  const hex = ATTACHED.exec(tag)?.[1];
  return hex === undefined ? null : `sha256:${hex}`;
}

/**
 * The referrers tag schema for a subject that is named by sha512: the specification keeps 64 of its
 * 128 digits, so that cosign's endings don't occur. Manifests are known by sha256 alone, and which
 * image such a list belongs to is not: it stays.
 */
const OF_UNKNOWN = /^sha512-[0-9a-f]{64}$/;

/** Whether it is the tag of an image, not of what is attached to one. */
function isOwn({ tag }: Pick<RetainedTag, 'tag'>): boolean {
  return subjectOfTag(tag) === null && !OF_UNKNOWN.test(tag);
}

/**
 * Someone who signs before tagging has a signature without a tagged manifest for a while. One that
 * was written within this time stays.
 */
const ATTACHED_GRACE_MS = DAY_MS;

/** A tag that was found stays for this long, beside the newest. */
const FOUND_GRACE_MS = 30 * DAY_MS;

/** @throws Error for an invalid glob */
export function keptBy(globs: readonly string[]): (tag: string) => boolean {
  const matches = globs.map((glob) => matcher({ glob }));
  return (tag) => matches.some((each) => each(tag));
}

/**
 * The tags of one repository that the rule removes, in the order given.
 * @throws Error for an invalid glob
 */
export function expiredTags<T extends RetainedTag>(
  rule: RetentionRule,
  tags: readonly T[],
  { now, patternOf, children }: RetentionContext,
): T[] {
  const matchesKeep = keptBy(rule.keep);
  const isNamed = ({ tag }: T) => patternOf(tag) !== null || matchesKeep(tag);
  const own = tags.filter(isOwn);
  const foundSince = now.getTime() - FOUND_GRACE_MS;
  const isJustFound = ({ found, updatedAt }: T) => found && updatedAt.getTime() >= foundSince;
  const counted = own.filter((tag) => !isJustFound(tag));
  const newest = new Set(newestFirst(counted).slice(0, rule.keepNewest ?? 0));
  const since = rule.keepDays === null ? null : now.getTime() - rule.keepDays * DAY_MS;
  const stays = (tag: T) =>
    newest.has(tag) ||
    isNamed(tag) ||
    isJustFound(tag) ||
    (since !== null && tag.updatedAt.getTime() >= since);
  const kept = new Set(own.filter(stays));
  for (const tag of tags) if (OF_UNKNOWN.test(tag.tag)) kept.add(tag);
  const graceSince = now.getTime() - ATTACHED_GRACE_MS;
  const attached = tags.filter(({ tag }) => subjectOfTag(tag) !== null);
  const isFresh = ({ updatedAt }: T) => updatedAt.getTime() >= graceSince;
  for (const tag of attached) if (isNamed(tag) || isFresh(tag)) kept.add(tag);
  keepAttached(attached, kept, children);
  return tags.filter((tag) => !kept.has(tag));
}

/** Of tags of the same time, and of those found on the same day, versions are compared. */
function newestFirst<T extends RetainedTag>(tags: readonly T[]): T[] {
  return tags.toSorted((a, b) => timeOf(b) - timeOf(a) || compareTags(a.tag, b.tag));
}

function timeOf({ found, updatedAt }: RetainedTag): number {
  const time = updatedAt.getTime();
  return found ? time - (time % DAY_MS) : time;
}

/** Adds what is attached to a manifest that a kept tag reaches, also to what is attached itself. */
function keepAttached<T extends RetainedTag>(
  attached: readonly T[],
  kept: Set<T>,
  children: RetentionContext['children'],
): void {
  const bySubject = Map.groupBy(attached, ({ tag }) => subjectOfTag(tag));
  const reached = new Set<string>();
  const waiting = [...kept].map(({ digest }) => digest);
  for (let digest = waiting.pop(); digest !== undefined; digest = waiting.pop()) {
    if (reached.has(digest)) continue;
    reached.add(digest);
    waiting.push(...(children.get(digest) ?? []));
    for (const tag of bySubject.get(digest) ?? []) {
      kept.add(tag);
      waiting.push(tag.digest);
    }
  }
}
