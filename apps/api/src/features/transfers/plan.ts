/**
 * Plans a transfer: queries the registries, moves no blobs, and names images without an answer in
 * time.
 */
import { setImmediate as pause } from 'node:timers/promises';
import type {
  PlanItem,
  PlannedDecision,
  TransferPlan,
  TransferRequest,
} from '@portcullis/contract';
import {
  isSelection,
  minuteText,
  type Principal,
  type TransferEntry,
  type TransferOrder,
} from '@portcullis/domain';
import { MOST_SKIPPED, oldEnough, type SkippedTag } from '@portcullis/domain/old-enough';
import { compiled, MOST_STEPS, matchingTags, newestOf } from '@portcullis/domain/tag-selection';
import { isAppError, unlessMissing } from '@portcullis/errors';
import { REDUCED_FROM } from '@portcullis/local-registry';
import {
  type CopyPlan,
  forEachAtMost,
  formatImage,
  isDigest,
  isTag,
  planCopy,
} from '@portcullis/oci';
import { followPages, type Repository } from '@portcullis/oci/remote';
import type { TransferEnds } from './open-ends.ts';
import type { DecidePlan, WaitsAt } from './plan-decisions.ts';
import type { TagRefusal } from './plan-tags.ts';
import { type OrderPorts, type ResolvedOrder, resolveOrder } from './resolve-order.ts';

export interface PlanPorts {
  /** Resolves both ends of an order. */
  resolution: OrderPorts;
  ends: TransferEnds;
  decisions: DecidePlan;
  waits: WaitsAt;
  /** Of the built-in registry. */
  tagRefusal: TagRefusal;
  deadlineMs: number;
}

export type TransferPlanner = (
  principal: Principal,
  request: TransferRequest,
  /** Aborted when the client leaves. */
  left: AbortSignal,
) => Promise<TransferPlan>;

const AT_ONCE = 8;
/** Tags that patterns may add to a plan. */
const MOST_TAGS = 1_000;

interface Planning {
  order: Omit<TransferOrder, 'entries'>;
  principal: Principal;
  ends: TransferEnds;
  waits: WaitsAt;
  tagRefusal: TagRefusal;
  signal: AbortSignal;
  /** The number of tags that may still be listed. */
  left: number;
  /** Of matching the tags of all patterns. */
  budget: { steps: number };
}

interface Looked {
  item: PlanItem;
  /** Null for what is not copied, and where no registry was asked. */
  found: Found | null;
}

interface Found extends CopyPlan {
  /** At the destination. */
  repository: string;
}

export function createPlanner(ports: PlanPorts): TransferPlanner {
  return async (principal, request, left) => {
    const resolved = await resolveOrder(request, principal, ports.resolution);
    const signal = AbortSignal.any([AbortSignal.timeout(ports.deadlineMs), left]);
    const { order, entries } = resolved;
    const { ends, waits, tagRefusal } = ports;
    const bounds = { signal, left: MOST_TAGS, budget: { steps: MOST_STEPS } };
    const planning = order && { order, principal, ends, waits, tagRefusal, ...bounds };
    const looked = await eachAtMost(AT_ONCE, entries, async (entry, index) => {
      const about = { index, repository: request.images[index]?.repository ?? '' };
      const refusal = refusalOf(resolved, index);
      if (refusal || !entry || !planning) return [refused(about, refusal)];
      return isSelection(entry.tags)
        ? lookAtTags(planning, entry, about)
        : [await lookAt(planning, entry, { ...about, tag: entry.tags.tag })];
    });
    return summary(await withDecisions(looked.flat(), planning, ports.decisions));
  };
}

/** By the gate; images that nothing is known of stay undecided. */
async function withDecisions(
  looked: readonly Looked[],
  planning: Planning | null,
  decide: DecidePlan,
): Promise<Looked[]> {
  const images = looked.flatMap(({ found }) =>
    found ? [{ ...found, digest: found.root.digest }] : [],
  );
  if (!planning || images.length === 0) return [...looked];
  const { order, principal } = planning;
  const decisions = (await decide(images, order, principal)).values();
  return looked.map(({ item, found }) => {
    const decision: PlannedDecision | null = found ? (decisions.next().value ?? null) : null;
    return { item: { ...item, decision }, found };
  });
}

interface About {
  index: number;
  repository: string;
}

function refusalOf({ faults }: ResolvedOrder, index: number) {
  const wholly = (path: string) => path === 'dest_folder';
  return (
    faults.find((fault) => fault.index === index || fault.index === null || wholly(fault.path)) ??
    null
  );
}

function refused(about: About, fault: { code: string; message: string } | null): Looked {
  const why = { code: fault?.code ?? null, reason: fault?.message ?? null };
  return { item: { ...NOTHING, ...about, state: 'refused', ...why }, found: null };
}

const NOTHING = {
  tag: null,
  destination: null,
  digest: null,
  bytes_total: null,
  bytes_to_move: null,
  code: null,
  reason: null,
  until: null,
  decision: null,
};

async function lookAtTags(
  planning: Planning,
  entry: TransferEntry,
  about: About,
): Promise<Looked[]> {
  try {
    const source = await planning.ends.source(
      planning.order.source,
      entry.image,
      planning.principal,
    );
    const { tags, skipped, whole } = await tagsOf(planning, entry, source);
    const found = await eachAtMost(AT_ONCE, tags, (tag) =>
      lookAt(planning, entry, { ...about, tag }),
    );
    const looked = [...skipped.map((each) => tooYoung(about, each, tags)), ...found];
    return whole
      ? looked
      : [
          ...looked,
          notLookedAt(about, 'TAGS_MANY', 'The pattern means more tags than a plan looks at.'),
        ];
  } catch (error) {
    return [failed(planning, about, error)];
  }
}

async function tagsOf(
  planning: Planning,
  { tags, repository }: TransferEntry,
  source: Pick<Repository, 'tags' | 'resolve'>,
) {
  if (!isSelection(tags)) return { tags: [], skipped: [], whole: true };
  const { order, principal, signal, budget } = planning;
  const { newest } = tags;
  const waits = newest === null ? null : await planning.waits(repository, order, principal);
  const matcher = compiled(tags.match);
  const matching = {
    budget,
    async pause() {
      await pause();
      signal.throwIfAborted();
    },
  };
  const most = (newest ?? Number.MAX_SAFE_INTEGER) + (waits === null ? 0 : MOST_SKIPPED);
  const read = (cursor: string | undefined) => source.tags({ limit: MOST_TAGS, cursor, signal });
  let found: string[] = [];
  let isWhole = false;
  for await (const { items, next } of followPages(read)) {
    const tags = await matchingTags(matcher, items.filter(isTag), matching);
    found = await newestOf(found, tags, most);
    isWhole = next === undefined;
    if (found.length > planning.left) break;
  }
  const { taken, skipped } =
    waits === null || newest === null
      ? { taken: found, skipped: [] }
      : await oldEnough(found, newest, async (tag) => {
          const there = await unlessMissing(source.resolve(tag, { signal }));
          return there && waits(there.digest);
        });
  const shown = taken.slice(0, planning.left);
  planning.left -= shown.length;
  return { tags: shown, skipped, whole: isWhole && shown.length === taken.length };
}

function tooYoung(about: About, { tag, until }: SkippedTag, taken: readonly string[]): Looked {
  const instead =
    taken.length === 0
      ? 'no older tag is'
      : `${taken.join(', ')} ${taken.length === 1 ? 'is' : 'are'}`;
  const reason = `${tag} is too young until ${minuteText(until)}; ${instead} taken.`;
  const why = { code: 'TOO_YOUNG', reason, until: until.toISOString() };
  return { item: { ...NOTHING, ...about, tag, state: 'skipped', ...why }, found: null };
}

async function lookAt(
  planning: Planning,
  entry: TransferEntry,
  about: About & { tag: string },
): Promise<Looked> {
  const { order, signal, ends, principal } = planning;
  const targetTag = entry.targetTag ?? about.tag;
  const destination = formatImage(`${order.destination.host}/${entry.repository}`, targetTag);
  const shown = { ...about, destination };
  try {
    const source = await ends.source(order.source, entry.image, principal);
    const target = await ends.destination(order.destination, entry.repository, principal);
    // As the transfer writes it, so that a reduced index has the digest that is pushed.
    const { platforms, withReferrers: includeReferrers } = order;
    const options = { platforms, includeReferrers, reducedFrom: REDUCED_FROM, signal };
    const found = await planCopy(source, about.tag, target, options);
    const refusal = await keptTag(planning, {
      repository: entry.repository,
      tag: targetTag,
      found,
    });
    if (refusal) return { item: { ...NOTHING, ...shown, ...refusal }, found: null };
    const present =
      found.manifests.length === 0 && (await tagIs(target, targetTag, { found, signal }));
    return {
      item: { ...NOTHING, ...shown, ...figures(found), state: present ? 'present' : 'copy' },
      found: { ...found, repository: entry.repository },
    };
  } catch (error) {
    return failed(planning, shown, error);
  }
}

/** Of an immutable tag that leads elsewhere: the push is refused before it moves a blob. */
async function keptTag(
  { order, tagRefusal }: Planning,
  { repository, tag, found }: { repository: string; tag: string; found: CopyPlan },
) {
  const { digest } = found.root;
  if (order.destination.kind !== 'local' || isDigest(tag)) return null;
  const refusal = await tagRefusal(repository, { tag, digest });
  if (!refusal) return null;
  const { code, message: reason } = refusal;
  return { digest, bytes_total: found.bytesTotal, state: 'copy' as const, code, reason };
}

async function tagIs(
  target: Repository,
  tag: string,
  { found, signal }: { found: CopyPlan; signal: AbortSignal },
): Promise<boolean> {
  const there = await unlessMissing(target.resolve(tag, { signal }));
  return isDigest(tag) || there?.digest === found.root.digest;
}

function figures({ root, bytesTotal, blobs, manifests }: CopyPlan) {
  const bytes = [...blobs, ...manifests].reduce((sum, { size }) => sum + size, 0);
  return {
    digest: root.digest,
    bytes_total: bytesTotal,
    bytes_to_move: bytes,
  };
}

function failed(
  { signal }: Planning,
  about: About & { tag?: string; destination?: string },
  error: unknown,
): Looked {
  if (signal.aborted)
    return notLookedAt(about, 'DEADLINE', 'The registries did not answer in time.');
  if (!isAppError(error)) throw error;
  const { code, message: reason } = error;
  return { item: { ...NOTHING, ...about, state: 'failed', code, reason }, found: null };
}

function notLookedAt(about: About, code: string, reason: string): Looked {
  return { item: { ...NOTHING, ...about, state: 'not_looked_at', code, reason }, found: null };
}

function summary(looked: Looked[]): TransferPlan {
  const items = looked.map(({ item }) => item);
  const count = (state: PlanItem['state']) => items.filter((item) => item.state === state).length;
  const needed = new Map(
    looked.flatMap(({ found }) =>
      found
        ? [...found.blobs, ...found.manifests].map(({ digest, size }) => [digest, size] as const)
        : [],
    ),
  );
  return {
    items,
    totals: {
      images: items.length - count('skipped'),
      copy: count('copy'),
      present: count('present'),
      refused: count('refused'),
      failed: count('failed'),
      not_looked_at: count('not_looked_at'),
      skipped: count('skipped'),
      blocked: items.filter(isBlocked).length,
      not_judged: looked.filter(({ item, found }) => found && item.decision === null).length,
      bytes_to_move: [...needed.values()].reduce((sum, size) => sum + size, 0),
    },
  };
}

/** An image to copy has a code where its tag refuses it. */
function isBlocked({ state, code, decision }: PlanItem): boolean {
  return decision?.outcome === 'refused' || (state === 'copy' && code !== null);
}

async function eachAtMost<T, R>(
  most: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  await forEachAtMost(most, items.entries(), async ([index, item]) => {
    results[index] = await work(item, index);
  });
  return results;
}
