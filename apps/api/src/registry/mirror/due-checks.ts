/**
 * Asks upstreams again about tags in use, whether or not a client pulls them. A check is claimed in
 * the database, so of all processes one asks about a tag.
 */
import { afterAsking, beforeAsking, type Mirror, mayBeMirrored } from '@portcullis/domain/mirror';
import type { ImmutableTags } from '@portcullis/gate';
import type { Logger } from '@portcullis/runtime';
import type { DueMirrorTag, MirrorReference, Store } from '@portcullis/store';
import type { BringIns } from './bring-ins.ts';
import type { Upstreams } from './upstream.ts';

export interface DueChecksPorts {
  mirrors(): Promise<ReadonlyMap<string, Mirror>>;
  store: Pick<Store['mirrors'], 'find' | 'due' | 'claimCheck'>;
  upstream: Pick<Upstreams, 'ask'>;
  bringIns: Pick<BringIns, 'beginLater'>;
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
const WEEK_SECONDS = 7 * 86_400;

export function createDueChecks(ports: DueChecksPorts): DueChecks {
  const { store, upstream, bringIns, log } = ports;
  let running: Promise<void> | null = null;

  async function check(mirror: Mirror, place: MirrorReference): Promise<void> {
    const { repository, reference } = place;
    const known = await store.find(place);
    const isImmutable = (await ports.immutableTags.patternOf(repository))(reference) !== null;
    const isAllowed = mayBeMirrored(mirror, repository);
    const { folder } = mirror;
    const question = {
      ...{ kind: 'tag' as const, here: known.here, tag: known.tag, isImmutable, isAllowed },
      ...{ mayBringIn: false, folder },
    };
    if (known.here === null || beforeAsking(question).step !== 'ask') {
      await store.claimCheck(place, WEEK_SECONDS);
      return;
    }
    const answer = await upstream.ask(mirror, place, true);
    const step = answer && afterAsking(question, answer);
    if (step?.step !== 'serve' || step.bringIn === null) return;
    await bringIns.beginLater({ mirror, place, digest: step.bringIn }, known, NO_CALLER);
  }

  /** One after the other: a transport also bounds what runs at once. */
  async function checkAll(
    tags: readonly DueMirrorTag[],
    mirrors: ReadonlyMap<string, Mirror>,
    stopping: AbortSignal,
  ): Promise<void> {
    for (const { folder, repository, reference } of tags) {
      const mirror = mirrors.get(folder);
      if (stopping.aborted || !mirror) return;
      await check(mirror, { repository, reference }).catch((err: unknown) =>
        log.warn({ err, repository, reference }, 'a tag of a mirror could not be checked'),
      );
    }
  }

  async function round(stopping: AbortSignal): Promise<void> {
    const mirrors = await ports.mirrors();
    if (mirrors.size === 0) return;
    const due = await store.due(MOST_A_MINUTE);
    const byRegistry = Map.groupBy(due, ({ folder }) => mirrors.get(folder)?.registryId);
    await Promise.all([...byRegistry.values()].map((tags) => checkAll(tags, mirrors, stopping)));
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
