/**
 * Compares tagged images with the present vulnerability database after each of its updates, from
 * the stored analyses of their layers: one worker in the whole installation, the image that was
 * pulled or pushed last first. What cannot be compared is left to the rescans (rescans.ts).
 */
import { isAppError, unavailable } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import type { Matcher } from '@portcullis/scanner';
import type { DueRematch, Rematch, RematchCounts, RematchData, Store } from '@portcullis/store';
import type { WorkerConfig } from '../../config.ts';
import { keepLease } from '../../pipeline/lease.ts';

/** What became of one image. */
export type RematchOutcome = 'changed' | 'same' | 'unmatched';

export interface RematchesPorts {
  rematches: Pick<Store['rematches'], 'claim' | 'due' | 'renew' | 'release' | 'leave'>;
  /** What a re-match would use now; null where none can run. */
  data(): Promise<RematchData | null>;
  startMatcher(signal: AbortSignal): Promise<Matcher>;
  rematch(digest: string, matcher: Matcher, signal: AbortSignal): Promise<RematchOutcome>;
  /** Moves the date of reports forward that are the same with the newer database. */
  confirm(digests: readonly string[], from: string | null, to: string): Promise<unknown>;
  searchFactor: WorkerConfig['searchFactor'];
  now(): number;
  log: Pick<Logger, 'info' | 'warn'>;
}

export interface Rematcher {
  /** Called in a loop. True where it worked and the next call may follow at once. */
  next(signal: AbortSignal): Promise<boolean>;
  /** False after several failed starts of the server: then all images are scanned for a while. */
  isAble(): boolean;
}

/** Pause when nothing is due, because the query reads all tags. */
const IDLE_MS = 15_000;
const BATCH = 100;
const STARTS = 3;
const UNABLE_MS = 10 * 60_000;
const UNABLE = 'REMATCH_UNAVAILABLE';
const NOTHING: RematchCounts = { matched: 0, changed: 0, skipped: 0, failed: 0, workedMs: 0 };

export function rematcher(ports: RematchesPorts): Rematcher {
  const { rematches, searchFactor, now, log } = ports;
  let nextAt = 0;
  let failedStarts = 0;
  let unableUntil = 0;

  async function start(
    { dbUpdatedAt, profile }: RematchData,
    signal: AbortSignal,
  ): Promise<Matcher | null> {
    try {
      await using starting = new AsyncDisposableStack();
      const matcher = starting.use(await ports.startMatcher(signal));
      if (matcher.profile !== profile) throw unavailable(UNABLE, 'the scanner is another one');
      failedStarts = 0;
      const isNewer = Date.parse(matcher.dbUpdatedAt) !== dbUpdatedAt.getTime();
      if (isNewer) return null;
      starting.move();
      return matcher;
    } catch (err) {
      signal.throwIfAborted();
      failedStarts += 1;
      log.warn({ err, failedStarts }, "the scanner's server did not start");
      if (failedStarts % STARTS === 0) unableUntil = now() + UNABLE_MS;
      return null;
    }
  }

  async function work(rematch: Rematch, data: RematchData, signal: AbortSignal): Promise<void> {
    const ledger = countFrom(now);
    const renewal = keepLease(() => rematches.renew(rematch, ledger.take()), log);
    const both = AbortSignal.any([signal, renewal.lost]);
    try {
      await using matcher = await start(data, both);
      if (matcher) await matchAll({ ...ports, data, matcher, count: ledger.count }, both);
    } catch (err) {
      if (!both.aborted) throw err;
    } finally {
      renewal.stop();
      await rematches.release(rematch, ledger.take());
    }
  }

  return {
    async next(signal) {
      if (now() < Math.max(nextAt, unableUntil)) return false;
      const data = await ports.data();
      const rematch = data && (await rematches.claim(data));
      if (rematch) await work(rematch, data, signal);
      else nextAt = now() + IDLE_MS * searchFactor;
      return rematch !== null && failedStarts === 0;
    },
    isAble: () => now() >= unableUntil,
  };
}

interface MatchContext extends Omit<RematchesPorts, 'data'> {
  data: RematchData;
  matcher: Matcher;
  count(outcome: Exclude<keyof RematchCounts, 'workedMs'>, images?: number): void;
}

/** Until none is left, the server ends, or the database is another one. */
async function matchAll(context: MatchContext, signal: AbortSignal): Promise<void> {
  const { rematches, data, matcher } = context;
  for (;;) {
    if (!(await matcher.isCurrent())) return;
    const images = await rematches.due(data, BATCH);
    if (images.length === 0) return;
    await matchBatch(images, context, signal);
    if (matcher.hasEnded()) return;
  }
}

async function matchBatch(
  images: readonly DueRematch[],
  context: MatchContext,
  signal: AbortSignal,
): Promise<void> {
  const { matcher, count, confirm } = context;
  const { from, isUnchanged } = await matcher.plan(images);
  const unchanged: string[] = [];
  for (const { digest } of images) {
    signal.throwIfAborted();
    if (isUnchanged(digest)) unchanged.push(digest);
    else await matchOne(digest, context, signal);
    if (matcher.hasEnded() || !(await matcher.isCurrent())) break;
  }
  if (unchanged.length === 0) return;
  await confirm(unchanged, from, matcher.dbUpdatedAt);
  count('skipped', unchanged.length);
}

async function matchOne(
  digest: string,
  { rematches, rematch, matcher, data, count, log }: MatchContext,
  signal: AbortSignal,
): Promise<void> {
  try {
    const outcome = await rematch(digest, matcher, signal);
    if (outcome !== 'unmatched') count('matched');
    if (outcome === 'changed') count('changed');
    if (outcome !== 'unmatched') return;
  } catch (err) {
    signal.throwIfAborted();
    // A fault of the database or of Redis is not the image's: the next turn tries it again.
    if (!isAppError(err) || err.code !== 'REMATCH_FAILED') throw err;
    log.warn({ err, digest }, 'an image was not re-matched; it is scanned instead');
  }
  count('failed');
  await rematches.leave(digest, data);
}

/** Collects counts between two renewals of the lease. */
function countFrom(now: () => number) {
  let counts = { ...NOTHING };
  let since = now();
  return {
    count(outcome: Exclude<keyof RematchCounts, 'workedMs'>, images = 1) {
      counts[outcome] += images;
    },
    take(): RematchCounts {
      const taken = { ...counts, workedMs: now() - since };
      counts = { ...NOTHING };
      since = now();
      return taken;
    },
  };
}
