/**
 * Expands the tag patterns of a transfer into jobs, page by page. The cursor is saved with the jobs
 * of its page. Only "the newest n" reads all pages first and keeps n tags of them.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import {
  isSelection,
  type TagSelection,
  type TransferEntry,
  type TransferJob,
  type TransferOrder,
  transferJob,
} from '@portcullis/domain';
import { MOST_SKIPPED, oldEnough, type SkippedTag } from '@portcullis/domain/old-enough';
import {
  compiled,
  MOST_STEPS,
  matchingTags,
  newestOf,
  type TagMatcher,
} from '@portcullis/domain/tag-selection';
import { isAppError, isTransient, tooLarge, unlessMissing } from '@portcullis/errors';
import { isTag } from '@portcullis/oci';
import { followPages, type Repository } from '@portcullis/oci/remote';
import type { Queues } from '@portcullis/queue';
import { forRequest, type Logger } from '@portcullis/runtime';
import type { NewJob, SelectionStep, Store } from '@portcullis/store';
import type { Readable } from '../stages/registries.ts';

export interface ExpandPorts {
  transfers: Pick<Store['transfers'], 'find' | 'order' | 'queued' | 'step' | 'selectionFailed'>;
  users: Pick<Store['users'], 'get'>;
  /** Opens the source with the rights that the owner has now. @throws forbidden */
  source(at: Readable): Promise<Pick<Repository, 'tags' | 'resolve'>>;
  /** The age that the destination asks for; null where it asks for none. */
  waits(order: TransferOrder, at: { ownerId: string; repository: string }): Promise<Waits | null>;
  /** Keeps that a tag of the source was seen. @returns when its image was first seen */
  sighted(at: Pick<TransferJob, 'source' | 'image' | 'tag'>, digest: string): Promise<Date>;
  dispatch: Queues['dispatch'];
  log: Pick<Logger, 'info' | 'warn'>;
  /** Attempts of one pattern. */
  tries: number;
}

const PAGE = 1_000;
/** Limit for one pattern; more is probably a mistake. */
const MOST_JOBS = 10_000;
/** Limit for all patterns of one transfer, which protects the database. */
const MOST_JOBS_TOGETHER = 50_000;
/**
 * Time limit of one run, so that a registry with slow or endless pages doesn't block other tasks.
 * The pages that were read are saved, and the next run continues there.
 */
const PATIENCE_MS = 120_000;
/** Tags that cosign and the referrers fallback use; they are copied with their image. */
const COMPANION = /^sha(?:256|512)-[0-9a-f]{64,128}(?:\.[a-z]+)?$/;

/** Until when an image is too young; null where it is old enough. */
type Waits = (image: { digest: string; sightedAt: Date }) => Date | null;

interface Work {
  transferId: string;
  waits: Waits | null;
  entry: TransferEntry;
  selection: TagSelection;
  matcher: TagMatcher;
  /** Of matching, for all tags of this run. */
  budget: { steps: number };
  from: { position: number; cursor: string | null; jobsMade: number };
  /** Jobs of the other patterns of this transfer. */
  elsewhere: number;
  repository: Pick<Repository, 'tags' | 'resolve'>;
  jobOf(tag: string): NewJob;
}

export async function expandTransfer(
  transferId: string,
  ports: ExpandPorts,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const found = await ports.transfers.order(transferId);
  if (!found) return;
  // The row's, because the sweeper enqueues it for no request.
  await forRequest(found.requestId, () =>
    expandOrder(transferId, found, { ports, signal, patienceMs }),
  );
}

async function expandOrder(
  transferId: string,
  { order, ownerId }: { order: TransferOrder; ownerId: string },
  { ports, signal, patienceMs }: { ports: ExpandPorts; signal: AbortSignal; patienceMs: number },
): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  for (const { attempts, ...from } of await ports.transfers.queued(transferId)) {
    const at = { transferId, position: from.position };
    try {
      const work = await begin({ transferId, ownerId, order }, from, ports);
      if (work) await expand(work, ports, limit);
    } catch (error) {
      // A stopping worker leaves the pattern queued; the sweeper enqueues it again.
      if (signal.aborted) return;
      const { retry, ...fault } = faultOf(error);
      ports.log.warn({ err: error, ...at }, 'the tags of a transfer could not be listed');
      await ports.transfers.selectionFailed(at, fault, retry && attempts + 1 < ports.tries);
    }
  }
}

async function begin(
  { transferId, ownerId, order }: { transferId: string; ownerId: string; order: TransferOrder },
  from: Work['from'],
  { source, users, transfers, waits: waitsAt }: ExpandPorts,
): Promise<Work | null> {
  const entry = order.entries[from.position];
  if (!entry || !isSelection(entry.tags)) return null;
  const repository = await source({
    id: transferId,
    ownerId,
    image: entry.image,
    source: order.source,
  });
  const by = await users.get(ownerId);
  const jobOf = (tag: string) =>
    transferJob(order, { entry, tag }, { by, pushId: randomUUID(), now: new Date() });
  const others = (await transfers.find(transferId))?.selections ?? [];
  const elsewhere = others.reduce(
    (sum, { position, jobsMade }) => sum + (position === from.position ? 0 : jobsMade),
    0,
  );
  const matcher = compiled(entry.tags.match);
  const budget = { steps: MOST_STEPS };
  const selection = entry.tags;
  const waits =
    selection.newest === null
      ? null
      : await waitsAt(order, { ownerId, repository: entry.repository });
  return {
    transferId,
    waits,
    entry,
    selection,
    matcher,
    budget,
    from,
    elsewhere,
    repository,
    jobOf,
  };
}

function expand(work: Work, ports: ExpandPorts, signal: AbortSignal): Promise<void> {
  const { newest } = work.selection;
  return newest === null
    ? expandAll(work, ports, signal)
    : expandNewest(work, newest, { ports, signal });
}

async function expandAll(work: Work, ports: ExpandPorts, signal: AbortSignal): Promise<void> {
  let { cursor, jobsMade } = work.from;
  const known = new Set<string>();
  for await (const page of wanted(work, cursor, signal)) {
    // Pages may overlap, and each tag is one job.
    const tags = page.tags.filter((tag) => !known.has(tag));
    for (const tag of tags) known.add(tag);
    jobsMade += tags.length;
    const taken = await step(work, ports, { ...page, tags, cursor, jobsMade });
    if (!taken) return;
    cursor = page.next;
  }
}

async function expandNewest(
  work: Work,
  count: number,
  { ports, signal }: { ports: ExpandPorts; signal: AbortSignal },
): Promise<void> {
  const most = work.waits === null ? count : count + MOST_SKIPPED;
  let newest: string[] = [];
  let seen = 0;
  for await (const page of wanted(work, null, signal)) {
    newest = await newestOf(newest, page.tags, most);
    seen += page.seen;
  }
  const { taken: tags, skipped } = await oldEnough(newest, count, endOf(work, ports, signal));
  await step(work, ports, {
    cursor: work.from.cursor,
    next: null,
    jobsMade: tags.length,
    ...{ tags, skipped, seen },
  });
}

/** A digest that was never seen is seen now. What is gone by now is left to its job. */
function endOf(
  { waits, repository, jobOf }: Work,
  { sighted }: ExpandPorts,
  signal: AbortSignal,
): (tag: string) => Promise<Date | null> {
  return async (tag) => {
    if (waits === null) return null;
    const found = await unlessMissing(repository.resolve(tag, { signal }));
    if (found === null) return null;
    const { digest } = found;
    return waits({ digest, sightedAt: await sighted(jobOf(tag), digest) });
  };
}

interface TagPage {
  tags: string[];
  seen: number;
  next: string | null;
}

async function* wanted(
  { repository, matcher, budget }: Work,
  from: string | null,
  signal: AbortSignal,
): AsyncGenerator<TagPage> {
  const matching = {
    budget,
    async pause() {
      await pause();
      signal.throwIfAborted();
    },
  };
  const read = (cursor: string | undefined) => {
    signal.throwIfAborted();
    return repository.tags({ limit: PAGE, cursor, signal });
  };
  for await (const { items, next = null } of followPages(read, from ?? undefined)) {
    const own = items.filter((tag) => isTag(tag) && !COMPANION.test(tag));
    yield { tags: await matchingTags(matcher, own, matching), seen: items.length, next };
  }
}

async function step(
  { transferId, from, elsewhere, jobOf }: Work,
  { transfers, dispatch, log }: ExpandPorts,
  {
    tags,
    seen,
    jobsMade,
    cursor,
    next,
    skipped = [],
  }: TagPage &
    Pick<SelectionStep, 'cursor'> & { jobsMade: number; skipped?: readonly SkippedTag[] },
): Promise<boolean> {
  if (jobsMade > MOST_JOBS)
    throw tooLarge('TOO_MANY_TAGS', `the pattern means more than ${MOST_JOBS} tags`);
  if (elsewhere + jobsMade > MOST_JOBS_TOGETHER)
    throw tooLarge(
      'TOO_MANY_TAGS',
      `the transfer's patterns mean more than ${MOST_JOBS_TOGETHER} tags`,
    );
  const { position } = from;
  const jobs = await transfers.step({
    transferId,
    position,
    cursor,
    next,
    tagsSeen: seen,
    jobs: tags.map(jobOf),
    skipped,
  });
  for (const job of jobs ?? []) await dispatch(job);
  log.info({ transferId, position, tags: seen, jobs: jobs?.length ?? 'taken' }, 'tags became jobs');
  return jobs !== null;
}

function faultOf(error: unknown): { code: string; message: string; retry: boolean } {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return {
      code: 'REGISTRY_TIMEOUT',
      message: 'the registry takes too long to list its tags',
      retry: true,
    };
  if (!isAppError(error))
    return { code: 'INTERNAL', message: 'an internal fault; see the worker log', retry: true };
  const { code, message } = error;
  return { code, message, retry: isTransient(error) };
}
