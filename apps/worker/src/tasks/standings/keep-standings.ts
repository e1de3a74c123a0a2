/**
 * Keeps the standings of tagged images up to date, and announces what changed: after a changed
 * report, policy, folder, waiver or feed, and when time alone changes a standing. One worker judges
 * in the whole installation; no scanner and no registry is asked.
 */
import { createHash } from 'node:crypto';
import {
  authoritiesIn,
  FEED_KINDS,
  feedsOf,
  type Policy,
  type PullGateMode,
  withBypass,
} from '@portcullis/domain';
import type { AuditEvent, AuditLog } from '@portcullis/events';
import type { GateRules } from '@portcullis/gate';
import type { Logger } from '@portcullis/runtime';
import type {
  AppearedVulnerability,
  DueStanding,
  StandingMarks,
  StandingRun,
  Store,
} from '@portcullis/store';
import type { WorkerConfig } from '../../config.ts';
import { keepLease } from '../../pipeline/lease.ts';
import { lookPause } from '../paced.ts';
import { changedRecords, type JudgedTag, judge, recordsBy } from './judge-tagged.ts';
import { appearedEvent, type Owner, standingEvent } from './standing-events.ts';

export interface KeepStandingsPorts {
  store: {
    standings: Store['standings'];
    reports: Pick<Store['reports'], 'facts'>;
    passRecords: Pick<Store['passRecords'], 'listByDigests'>;
    folders: Pick<Store['folders'], 'names'>;
    images: Pick<Store['images'], 'bypasses' | 'tagsOf'>;
  };
  rules(): Promise<GateRules>;
  audit: Pick<AuditLog, 'flush'>;
  searchFactor: WorkerConfig['searchFactor'];
  now(): Date;
  log: Pick<Logger, 'info' | 'warn'>;
}

export interface StandingKeeper {
  /** Called in a loop. True where it worked and the next call may follow at once. */
  next(signal: AbortSignal): Promise<boolean>;
}

const PACE = { shortestMs: 5_000, longestMs: 60_000 };
/** Found by one query, which reads all tags. */
const FOUND = 5_000;
/** Manifests, which bound the reports in memory and the length of a transaction. */
const BATCH = 200;
const MOST_OWNERS = 50;

export function standingKeeper({
  store,
  rules,
  audit,
  searchFactor,
  now,
  log,
}: KeepStandingsPorts): StandingKeeper {
  const { standings } = store;
  let nextAt = 0;

  function pause(queryMs: number): void {
    nextAt = now().getTime() + lookPause(queryMs, { ...PACE, searchFactor });
  }

  /** @returns the milliseconds of the last look for images, which found none */
  async function work(run: StandingRun, signal: AbortSignal): Promise<number> {
    const started = now().getTime();
    const owners = ownersOf(store);
    let judged = 0;
    let queryMs = 0;
    for (;;) {
      signal.throwIfAborted();
      const current = await rules();
      await standings.noteWaivers(current.waivers);
      const marks = marksOf(current, await store.folders.names());
      const asked = now().getTime();
      const due = await standings.due(marks, FOUND);
      queryMs = now().getTime() - asked;
      if (due.length === 0) break;
      for (const batch of batchesOf(due)) {
        signal.throwIfAborted();
        if (!(await judgeBatch(batch, { run, current, marks, owners }))) return queryMs;
        judged += batch.length;
      }
    }
    await standings.filled(run);
    await standings.removeUntagged();
    if (judged > 0) log.info({ judged, ms: now().getTime() - started }, 'judged images again');
    return queryMs;
  }

  /** False where another worker judges by now. */
  async function judgeBatch(
    due: readonly DueStanding[],
    { run, current, marks, owners }: Batch,
  ): Promise<boolean> {
    const digests = [...new Set(due.flatMap(({ digest, parts }) => [digest, ...parts]))];
    const [facts, known] = await Promise.all([
      store.reports.facts(digests),
      store.passRecords.listByDigests(digests),
    ]);
    const judging = { facts, records: recordsBy(known), current, marks, now: now() };
    const judged = due.map((image) => judge(image, judging));
    const announced = run.filledAt === null ? [] : judged.filter(({ row }) => row.isChanged);
    const events = await standingEvents(announced, owners, store.images);
    const rows = judged.map(({ row }) => ({
      ...row,
      isChanged: row.isChanged && run.filledAt !== null,
    }));
    const records = changedRecords(due, judging);
    const saved = await standings.save(run, { rows, records, events }, async (found) =>
      run.filledAt === null ? [] : appearedEvents(found, owners),
    );
    if (saved === null) return false;
    if (saved > 0) await audit.flush();
    return true;
  }

  return {
    async next(signal) {
      if (now().getTime() < nextAt) return false;
      pause(0);
      const run = await standings.claim();
      if (run === null) return false;
      const renewal = keepLease(() => standings.renew(run), log);
      try {
        pause(await work(run, AbortSignal.any([signal, renewal.lost])));
      } finally {
        renewal.stop();
        await standings.release(run);
      }
      return false;
    },
  };
}

/** An index counts with its parts; one that is larger than a batch is a separate batch. */
function batchesOf(due: readonly DueStanding[]): DueStanding[][] {
  const batches: DueStanding[][] = [];
  let left = 0;
  for (const image of due) {
    const manifests = 1 + image.parts.length;
    if (manifests > left || batches.length === 0) {
      batches.push([]);
      left = BATCH;
    }
    batches.at(-1)?.push(image);
    left -= manifests;
  }
  return batches;
}

interface Batch {
  run: StandingRun;
  current: GateRules;
  marks: StandingMarks;
  owners(folder: string): Promise<Owner[]>;
}

/** Who pushed what is blocked all the same is part of how it stands. */
async function standingEvents(
  announced: readonly JudgedTag[],
  owners: Batch['owners'],
  images: KeepStandingsPorts['store']['images'],
): Promise<AuditEvent[]> {
  if (announced.length === 0) return [];
  const rows = announced.map(({ row }) => row);
  const [bypasses, tagged] = await Promise.all([images.bypasses(rows), images.tagsOf(rows)]);
  const events: AuditEvent[] = [];
  for (const { row, standing } of announced) {
    const isIts = ({ repository, digest }: { repository: string; digest: string }) =>
      repository === row.repository && digest === row.digest;
    const said = withBypass(standing(), bypasses.find(isIts)?.by ?? null);
    const tags = tagged.find(isIts)?.tags ?? [];
    events.push(standingEvent({ row, standing: said, tags }, await owners(row.folder)));
  }
  return events;
}

async function appearedEvents(
  found: readonly AppearedVulnerability[],
  owners: Batch['owners'],
): Promise<AuditEvent[]> {
  const events: AuditEvent[] = [];
  for (const each of found) {
    const byId = new Map<string, Owner & { folders: string[] }>();
    for (const folder of each.folders)
      for (const owner of await owners(folder)) {
        const { folders = [] } = byId.get(owner.id) ?? {};
        byId.set(owner.id, { ...owner, folders: [...folders, folder] });
      }
    events.push(appearedEvent(each, [...byId.values()]));
  }
  return events;
}

/** Waivers are noted apart: they change the standings of few images. */
function marksOf(rules: GateRules, folders: readonly string[]): StandingMarks {
  return {
    folders: new Map(
      folders.map((folder) => [
        folder,
        markOf(rules.policyOf({ folder }), rules, rules.gateOf(folder).pullGate),
      ]),
    ),
    otherwise: markOf(rules.defaultPolicy, rules, null),
  };
}

function markOf(
  policy: Policy,
  { feeds, authorities }: GateRules,
  pullGate: PullGateMode | null,
): string {
  const needed = feedsOf(policy);
  const read = FEED_KINDS.map((kind) => (needed[kind] ? (feeds[kind]?.readAt ?? null) : null));
  const asked = authoritiesIn(policy).map((name) => authorities.get(name)?.version ?? null);
  return createHash('sha256')
    .update(JSON.stringify([policy, read, asked, pullGate]))
    .digest('hex')
    .slice(0, 16);
}

/** Of one run: an account that gets a right meanwhile is notified of the next change. */
function ownersOf({ standings }: Pick<KeepStandingsPorts['store'], 'standings'>): Batch['owners'] {
  const known = new Map<string, ReturnType<Batch['owners']>>();
  return (folder) => {
    const found = known.get(folder) ?? standings.owners(folder, MOST_OWNERS);
    known.set(folder, found);
    return found;
  };
}
