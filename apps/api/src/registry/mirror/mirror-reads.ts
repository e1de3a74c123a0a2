/**
 * The door of mirrors: before a manifest of a folder with an upstream is read, what is missing is
 * brought in, and what is due is checked. The pull gate decides afterwards, as in any folder.
 */
import { isBlocked, isSettled, type Principal } from '@portcullis/domain';
import {
  afterAsking,
  type Behind,
  beforeAsking,
  isLostUpstream,
  isRefusedIndex,
  type Mirror,
  type MirrorStep,
  mayBeMirrored,
  mayBringIn,
  registryLabel,
  repositoryInMirror,
  type UpstreamFault,
} from '@portcullis/domain/mirror';
import { subjectOfTag } from '@portcullis/domain/retention';
import { notFound, unavailable } from '@portcullis/errors';
import type { ImmutableTags } from '@portcullis/gate';
import { isDigest } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import type { KnownReference, MirrorReference, Store } from '@portcullis/store';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { AccessContext } from '../access/authorize.ts';
import type { Holds } from '../gate/holds.ts';
import type { Attached } from './attached.ts';
import { asBusy, type BringIns } from './bring-ins.ts';
import type { HeldChanges } from './held-changes.ts';
import type { Upstreams } from './upstream.ts';

export interface MirrorReadsPorts {
  mirrors(): Promise<ReadonlyMap<string, Mirror>>;
  store: Pick<Store['mirrors'], 'find' | 'passed' | 'used'>;
  attempts: Pick<Store['mirrorAttempts'], 'note'>;
  /** Whether the built-in registry has a digest that the index lacks: one without a tag. */
  has(repository: string, digest: string): Promise<boolean>;
  upstream: Upstreams;
  bringIns: BringIns;
  attached: Attached;
  heldChanges: HeldChanges;
  holds: Holds;
  waitMs: number;
  immutableTags: Pick<ImmutableTags, 'patternOf'>;
  /** @throws where the account may not read the repository any more */
  assertMayRead(access: AccessContext, repository: string): Promise<void>;
  /** Counts the pulls that waited for an image. */
  count: { add(labels: { registry: string; outcome: PullOutcome }): void };
  log: Pick<Logger, 'warn'>;
}

/** `pending`: the client was told to come again. */
type PullOutcome = 'served' | 'refused' | 'failed' | 'pending';

interface MirrorCall {
  access: AccessContext;
  place: MirrorReference;
  response: Response;
  /** The page of the folder. */
  detailsUrl: string;
}

export interface MirrorReads {
  /** The mirror that a repository is in; null for other folders. */
  of(repository: string): Promise<Mirror | null>;
  /** The repository here of one at a host, for `?ns=`; null where no mirror has it. */
  named(host: string, repository: string): Promise<string | null>;
  /**
   * Call before the manifest is read from the registry.
   * @returns what to warn of; null for nothing
   * @throws not_found, forbidden, rate_limited or unavailable
   */
  read(mirror: Mirror, read: MirrorCall): Promise<string | null>;
  /** The tags of the upstream, for accounts that may bring them in. */
  tags(mirror: Mirror, repository: string, principal: Principal): Promise<readonly string[]>;
  /** Call before the referrers of an image are listed: its publisher may have signed it since. */
  referrers: Attached['bringListed'];
}

/**
 * What is here, and as the upstream has it, is not looked up again for so long: its reads cost as
 * much as in other folders.
 */
const CURRENT_MS = 1_000;
const MOST_CURRENT = 20_000;
/** A pull is noted once in this time. */
const USED_MS = 600_000;
const MOST_USED = 20_000;
/** An attempt of an account is noted once in this time, while the fault is the same. */
const ATTEMPTED_MS = 10_000;

export function createMirrorReads(ports: MirrorReadsPorts): MirrorReads {
  const { mirrors, store, upstream, bringIns, attached, heldChanges, holds, waitMs, log } = ports;
  const current = new LRUCache<string, true>({ max: MOST_CURRENT, ttl: CURRENT_MS });
  const noted = new LRUCache<string, true>({ max: MOST_USED, ttl: USED_MS });
  const attempted = new LRUCache<string, true>({ max: MOST_USED, ttl: ATTEMPTED_MS });

  async function of(repository: string): Promise<Mirror | null> {
    const slash = repository.indexOf('/');
    const all = await mirrors();
    return slash > 0 && all.size > 0 ? (all.get(repository.slice(0, slash)) ?? null) : null;
  }

  async function find(place: MirrorReference): Promise<KnownReference> {
    const known = await store.find(place);
    const { repository, reference } = place;
    const isUntagged =
      known.here === null && isDigest(reference) && (await ports.has(repository, reference));
    return isUntagged ? { ...known, here: reference } : known;
  }

  async function stepOf(
    mirror: Mirror,
    known: KnownReference,
    read: MirrorCall,
  ): Promise<MirrorStep> {
    const { place, access } = read;
    const { repository, reference } = place;
    const isTag = !isDigest(reference);
    const question = {
      kind: isTag ? ('tag' as const) : ('digest' as const),
      here: known.here,
      tag: known.tag,
      isImmutable: isTag && (await ports.immutableTags.patternOf(repository))(reference) !== null,
      isAllowed: mayBeMirrored(mirror, repository),
      mayBringIn: mayBringIn(access.principal, mirror.folder),
      folder: mirror.folder,
    };
    const step = beforeAsking(question);
    if (step.step !== 'ask') return step;
    const answer = await upstream.ask(mirror, place, known.here !== null);
    if (answer && 'fault' in answer && known.here === null)
      await noteAttempt(mirror, read, answer.fault);
    if (answer) return afterAsking(question, answer);
    // Another process asks: until it is answered, what is here counts.
    return { step: 'serve', behind: null, bringIn: null };
  }

  /** The client waits, within the bounds of all pulls that are held. */
  async function bringIn(mirror: Mirror, digest: string, known: KnownReference, read: MirrorCall) {
    const { place, access, detailsUrl } = read;
    const before = await settledJob({ mirror, place, digest }, known, read);
    // Once: the answer that named the digest may be as old as answers count.
    const next = isLostUpstream(before) ? await movedTo(mirror, place) : digest;
    const wanted = { mirror, place, digest: next ?? digest };
    const first =
      wanted.digest === digest ? before : await settledJob(wanted, await store.find(place), read);
    // Once: the next job brings in all platforms of the index.
    const job = isRefusedIndex(first)
      ? await settledJob(wanted, await store.find(place), read)
      : first;
    ports.count.add({ registry: registryLabel(mirror), outcome: outcomeOf(job) });
    await ports.assertMayRead(access, place.repository);
    if (job?.status !== 'pushed') return bringIns.refuse(wanted, job, detailsUrl);
    await settle(place, await store.find(place));
  }

  /** What a tag leads to at the upstream now; null for a digest, and where that is not known. */
  async function movedTo(mirror: Mirror, place: MirrorReference): Promise<string | null> {
    if (isDigest(place.reference)) return null;
    const answer = await upstream.ask(mirror, place, false);
    return answer && 'digest' in answer ? answer.digest : null;
  }

  async function settledJob(
    wanted: Parameters<BringIns['begin']>[0],
    known: KnownReference,
    { place, access: { principal }, response }: MirrorCall,
  ): Promise<KnownReference['job']> {
    await bringIns.begin(wanted, known, principal).catch((error: unknown) => {
      throw asBusy(error);
    });
    const first = (await store.find(place)).job;
    const image = `${place.repository} ${wanted.digest}`;
    const held = { accountId: principal.id, image, response };
    return holds.hold(held, first, (signal) =>
      bringIns.settled({ place, job: first }, { ms: waitMs, signal }),
    );
  }

  /** What passed is the last good one. */
  async function settle(place: MirrorReference, { here, tag, job }: KnownReference): Promise<void> {
    if (job?.status !== 'pushed' || job.digest === null || job.sourceDigest === null) return;
    const passed = { goodDigest: job.digest, goodSource: job.sourceDigest };
    if (here !== job.digest || !tag || tag.goodDigest === job.digest) return;
    await store.passed(place, passed);
    Object.assign(tag, passed);
  }

  async function note(place: MirrorReference): Promise<void> {
    const key = keyOf(place);
    if (noted.has(key)) return;
    noted.set(key, true);
    await optionally('a pull is not noted', place, () => store.used(place));
  }

  /** What was never here is in no list of tags. */
  async function noteAttempt(
    { folderId }: Mirror,
    { place, access: { principal } }: MirrorCall,
    fault: UpstreamFault,
  ): Promise<void> {
    const key = `${keyOf(place)} ${principal.id} ${fault.code}`;
    if (attempted.has(key)) return;
    attempted.set(key, true);
    const attempt = { ...place, folderId, accountId: principal.id, fault };
    await optionally('an attempt is not noted', place, () => ports.attempts.note(attempt));
  }

  /** What only records a read never decides whether it is served. */
  async function optionally(
    what: string,
    place: MirrorReference,
    record: () => Promise<unknown>,
  ): Promise<void> {
    try {
      await record();
    } catch (err) {
      log.warn({ err, ...place }, what);
    }
  }

  /** A signature and the like under a tag, which travels with its image. */
  async function isAttachedNow(mirror: Mirror, read: MirrorCall): Promise<boolean> {
    const { place, access, response } = read;
    const digest = subjectOfTag(place.reference);
    if (digest === null || !isDigest(digest)) return false;
    const { repository } = place;
    await attached.bring(mirror, { access, repository, digest, response });
    return (await find(place)).here !== null;
  }

  /** The client is served in any case. */
  async function beginBehind(
    mirror: Mirror,
    digest: string,
    known: KnownReference,
    { place, access }: MirrorCall,
  ): Promise<void> {
    await optionally('a newer digest is not brought in', place, () =>
      bringIns.beginLater({ mirror, place, digest }, known, access.principal),
    );
  }

  return {
    of,
    async named(host, repository) {
      const all = await mirrors();
      return all.size === 0 ? null : repositoryInMirror(host, repository, [...all.values()]);
    },
    async read(mirror, read) {
      const { place } = read;
      const key = keyOf(place);
      if (current.has(key)) return null;
      const known = await find(place);
      await settle(place, known);
      const step = await stepOf(mirror, known, read);
      if (step.step === 'refuse')
        throw step.kind === 'not_found'
          ? notFound(step.code, step.message)
          : unavailable(step.code, step.message);
      await note(place);
      if (step.step === 'bring_in') {
        if (await isAttachedNow(mirror, read)) return null;
        await bringIn(mirror, step.digest, known, read);
        return null;
      }
      const { behind } = step;
      if (!behind) {
        current.set(key, true);
        return null;
      }
      if (step.bringIn !== null) await beginBehind(mirror, step.bringIn, known, read);
      const by = read.access.principal;
      await optionally('that the last good one is served is not recorded', place, () =>
        heldChanges.note({ mirror, place, known, behind, by }),
      );
      return warningText(behind, known);
    },
    async tags(mirror, repository, principal) {
      return mayAsk(mirror, repository, principal) ? upstream.tags(mirror, repository) : [];
    },
    async referrers(mirror, call) {
      if (mayAsk(mirror, call.repository, call.access.principal))
        await attached.bringListed(mirror, call);
    },
  };
}

function mayAsk(mirror: Mirror, repository: string, principal: Principal): boolean {
  return mayBringIn(principal, mirror.folder) && mayBeMirrored(mirror, repository);
}

function outcomeOf(job: KnownReference['job']): PullOutcome {
  if (job === null) return 'failed';
  if (job.status === 'pushed') return 'served';
  if (isBlocked(job)) return 'refused';
  return isSettled(job.status) ? 'failed' : 'pending';
}

function keyOf({ repository, reference }: MirrorReference): string {
  return `${repository} ${reference}`;
}

function warningText(behind: Behind, { job }: KnownReference): string {
  switch (behind.because) {
    case 'other_digest': {
      const isOfJob = job?.sourceDigest === behind.upstreamDigest;
      const why = isOfJob && job.error !== null ? `: ${job.error.message}` : '';
      return `the upstream has ${behind.upstreamDigest} under this tag; the last good image is served${why}`;
    }
    case 'withdrawn':
      return `the upstream has withdrawn this tag; the last good image is served: ${behind.fault.message}`;
    case 'unanswered':
      return `the upstream does not answer; what is here is served: ${behind.fault.message}`;
  }
}
