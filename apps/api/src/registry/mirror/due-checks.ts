/**
 * Asks upstreams again about tags in use, whether or not a client pulls them, and records which of
 * them serve their last good image. A check is claimed in the database, so of all processes one
 * asks about a tag.
 */
import {
  afterAsking,
  beforeAsking,
  isAsBefore,
  type Mirror,
  type MirrorRead,
  mayBeMirrored,
  secondsUntilDue,
} from '@portcullis/domain/mirror';
import type { ImmutableTags } from '@portcullis/gate';
import type { Logger } from '@portcullis/runtime';
import type {
  ConfirmedTag,
  KnownMirrorTag,
  KnownReference,
  MirrorReference,
  Store,
} from '@portcullis/store';
import type { BringIns } from './bring-ins.ts';
import type { HeldChanges } from './held-changes.ts';
import type { Upstreams } from './upstream.ts';

export interface DueChecksPorts {
  mirrors(): Promise<ReadonlyMap<string, Mirror>>;
  store: Pick<Store['mirrors'], 'claimDue' | 'held' | 'postpone' | 'answered' | 'confirmed'>;
  upstream: Pick<Upstreams, 'look'>;
  bringIns: Pick<BringIns, 'beginLater'>;
  heldChanges: HeldChanges;
  immutableTags: Pick<ImmutableTags, 'patternOf'>;
  log: Pick<Logger, 'warn'>;
}

export interface DueChecks {
  /** One round: as many questions to each registry as are left of those of all processes. */
  run(stopping: AbortSignal): Promise<void>;
}

/** How often a round begins. */
export const CHECK_ROUND_MS = 60_000;
/** Of all processes. Docker Hub counts requests of an address. */
const MOST_A_MINUTE = 60;
/** Of a process that dies in the middle the checks of a round come so much later. */
const CLAIM_SECONDS = 180;
const WEEK_SECONDS = 7 * 86_400;
/** Others are noted in the next round. */
const MOST_NOTED = 200;

interface Round {
  mirrors: ReadonlyMap<string, Mirror>;
  stopping: AbortSignal;
}

export function createDueChecks(ports: DueChecksPorts): DueChecks {
  const { store, upstream, bringIns, log } = ports;
  let running: Promise<void> | null = null;

  async function questionOf(
    mirror: Mirror,
    { repository, reference }: MirrorReference,
    { here, tag }: KnownReference,
  ): Promise<MirrorRead> {
    const isImmutable = (await ports.immutableTags.patternOf(repository))(reference) !== null;
    const isAllowed = mayBeMirrored(mirror, repository);
    const { folder } = mirror;
    return { kind: 'tag', here, tag, isImmutable, isAllowed, mayBringIn: false, folder };
  }

  /** Returns the tag where nothing changed: that is kept of many at once. */
  async function check(
    mirror: Mirror,
    { known, ...place }: KnownMirrorTag,
  ): Promise<ConfirmedTag | null> {
    const question = await questionOf(mirror, place, known);
    if (beforeAsking(question).step !== 'ask') {
      await store.postpone(place, WEEK_SECONDS);
      return null;
    }
    const answer = await upstream.look(mirror, place);
    const dueSeconds = secondsUntilDue(answer, mirror.checkMinutes);
    const same = isAsBefore(known.tag, answer) ? { ...place, ...answer, dueSeconds } : null;
    if (!same) await store.answered(place, { answer, dueSeconds, isTag: true });
    const step = afterAsking(question, answer);
    if (step.step === 'serve' && step.bringIn !== null)
      await bringIns.beginLater({ mirror, place, digest: step.bringIn }, known, NO_CALLER);
    return same;
  }

  /** The tags of one registry. */
  async function checkAll(tags: readonly KnownMirrorTag[], now: Round): Promise<void> {
    const confirmed: ConfirmedTag[] = [];
    await forEach(tags, now, async (mirror, tag) => {
      const same = await check(mirror, tag);
      if (same) confirmed.push(same);
    });
    await store.confirmed(confirmed);
  }

  /** What a check found, or the job that was to bring it in: no client has to pull the tag. */
  async function noteHeld(mirror: Mirror, { known, ...place }: KnownMirrorTag): Promise<void> {
    const question = await questionOf(mirror, place, known);
    const answered = { ...question, tag: known.tag && { ...known.tag, isDue: false } };
    const step = beforeAsking(answered);
    if (step.step !== 'serve' || step.behind === null) return;
    await ports.heldChanges.note({ mirror, place, known, behind: step.behind, by: null });
  }

  /** One after the other: a transport also bounds what runs at once. */
  async function forEach(
    tags: readonly KnownMirrorTag[],
    { mirrors, stopping }: Round,
    work: (mirror: Mirror, tag: KnownMirrorTag) => Promise<void>,
  ): Promise<void> {
    for (const tag of tags) {
      const { folder, repository, reference } = tag;
      const mirror = mirrors.get(folder);
      if (stopping.aborted || !mirror) return;
      await work(mirror, tag).catch((err: unknown) =>
        log.warn({ err, repository, reference }, 'a tag of a mirror could not be checked'),
      );
    }
  }

  async function round(stopping: AbortSignal): Promise<void> {
    const mirrors = await ports.mirrors();
    if (mirrors.size === 0) return;
    const [held, due] = await Promise.all([
      store.held(MOST_NOTED),
      store.claimDue(MOST_A_MINUTE, CLAIM_SECONDS),
    ]);
    const byRegistry = Map.groupBy(due, ({ folder }) => mirrors.get(folder)?.registryId);
    const now = { mirrors, stopping };
    await Promise.all([
      forEach(held, now, noteHeld),
      ...[...byRegistry.values()].map((tags) => checkAll(tags, now)),
    ]);
  }

  return {
    run(stopping) {
      running ??= round(stopping)
        .catch((err: unknown) => log.warn({ err }, 'mirrors are checked in the next round'))
        .finally(() => {
          running = null;
        });
      return running;
    },
  };
}

/** A newer digest is brought in for the account that brought in the tag before. */
const NO_CALLER = {
  ...{ id: '', username: '', isAdmin: false, canBypassVulnBlock: false, grants: [] },
  auth: 'system' as const,
};
