/**
 * Asks the upstream of a mirror which digest a tag leads to, which tags there are, and what refers
 * to an image. Of the callers of a process one asks about a reference, and of all processes one
 * about what is here. The transport sends a few requests at once to each host.
 */
import {
  type Mirror,
  registryLabel,
  secondsUntilDue,
  type UpstreamAnswer,
  upstreamRepository,
} from '@portcullis/domain/mirror';
import { isAppError } from '@portcullis/errors';
import { type Descriptor, type Digest, isDigest, isTag } from '@portcullis/oci';
import { followPages, type Repository } from '@portcullis/oci/remote';
import type { RegistryAccess } from '@portcullis/registry-access';
import type { MirrorReference, Store } from '@portcullis/store';
import { LRUCache } from 'lru-cache';

export interface UpstreamsPorts {
  openUpstream: RegistryAccess['openUpstream'];
  mirrors: Pick<Store['mirrors'], 'answered' | 'claimCheck'>;
  count: { add(labels: { registry: string; outcome: string }): void };
}

export interface Upstreams {
  /** Null while another process asks about a reference that is here. */
  ask(mirror: Mirror, place: MirrorReference, isHere: boolean): Promise<UpstreamAnswer | null>;
  /** About one that is here, for the caller who has claimed its check and keeps the answer. */
  look(mirror: Mirror, place: MirrorReference): Promise<UpstreamAnswer>;
  /** Sorted by no rule; those that were read, where the upstream does not answer for all. */
  tags(mirror: Mirror, repository: string): Promise<readonly string[]>;
  /** As `tags`, of the signatures and other manifests that refer to an image. */
  referrers(mirror: Mirror, repository: string, digest: Digest): Promise<readonly Descriptor[]>;
}

/** A client waits for the check of what it is served anyway. */
const PATIENCE_MS = 2_000;
/** And for that of what is not here: a new connection and a token take longer. */
const FIRST_PATIENCE_MS = 10_000;
/** A process that asks and dies holds a check for so long. */
const CLAIM_SECONDS = 15;
/** Further clients that ask for the same get the same answer. */
const REUSE_MS = 1_000;
/** Credentials and tokens of a registry are read again. */
const OPENED_MS = 60_000;
const MOST_OPENED = 500;
const MOST_FLIGHTS = 5_000;
const LIST_PATIENCE_MS = 5_000;
const LIST_PAGE = 1_000;
const MOST_TAGS = 10_000;
const MOST_LISTS = 200;
/** Publishers write the annotations in them. */
const MOST_REFERRERS_BYTES = 256 * 1024;
const FAILED_LIST_MS = 60_000;

export function createUpstreams({ openUpstream, mirrors, count }: UpstreamsPorts): Upstreams {
  const opened = new LRUCache<string, Promise<Repository>>({ max: MOST_OPENED, ttl: OPENED_MS });

  /** It keeps the token that the upstream gave, so that most checks are one request. */
  function open(mirror: Mirror, repository: string): Promise<Repository> {
    const name = upstreamRepository(mirror, repository);
    const key = `${mirror.registryId} ${name}`;
    const known = opened.get(key);
    if (known) return known;
    const opening = openUpstream(mirror.registryId, name);
    opened.set(key, opening);
    opening.catch(() => opened.delete(key));
    return opening;
  }

  async function resolve(
    mirror: Mirror,
    { repository, reference }: MirrorReference,
    isHere: boolean,
  ): Promise<UpstreamAnswer> {
    try {
      const signal = AbortSignal.timeout(isHere ? PATIENCE_MS : FIRST_PATIENCE_MS);
      const upstream = await open(mirror, repository);
      const { digest } = await upstream.resolve(reference, { signal }).catch((error: unknown) => {
        if (!isToBeFetched(error, isHere)) throw error;
        return upstream.resolve(reference, { signal, fetching: true });
      });
      count.add({ registry: registryLabel(mirror), outcome: 'answered' });
      return { digest };
    } catch (error) {
      const answer = { fault: faultOf(mirror, error) };
      const outcome = answer.fault.gone ? 'gone' : 'failed';
      count.add({ registry: registryLabel(mirror), outcome });
      return answer;
    }
  }

  async function askOnce(
    mirror: Mirror,
    place: MirrorReference,
    isHere: boolean,
  ): Promise<UpstreamAnswer | null> {
    if (isHere && !(await mirrors.claimCheck(place, CLAIM_SECONDS))) return null;
    const answer = await resolve(mirror, place, isHere);
    // Of what is nowhere nothing is kept: a client may ask for any name.
    if (isHere || 'digest' in answer) {
      const dueSeconds = secondsUntilDue(answer, mirror.checkMinutes);
      await mirrors.answered(place, { answer, dueSeconds, isTag: !isDigest(place.reference) });
    }
    return answer;
  }

  const flights = new LRUCache<string, Promise<UpstreamAnswer | null>>({ max: MOST_FLIGHTS });

  /** What was read until its time was over, or a page failed, is more than nothing. */
  async function listTags(mirror: Mirror, repository: string): Promise<Listed<string>> {
    const signal = AbortSignal.timeout(LIST_PATIENCE_MS);
    const found = new Set<string>();
    try {
      const upstream = await open(mirror, repository);
      const read = (cursor?: string) => upstream.tags({ limit: LIST_PAGE, cursor, signal });
      for await (const { items } of followPages(read)) {
        for (const tag of items.filter(isTag)) found.add(tag);
        if (found.size >= MOST_TAGS) break;
      }
      return { found: [...found].slice(0, MOST_TAGS), isCut: false };
    } catch {
      return { found: [...found], isCut: true };
    }
  }

  async function listReferrers(
    mirror: Mirror,
    repository: string,
    digest: Digest,
  ): Promise<Listed<Descriptor>> {
    const signal = AbortSignal.timeout(LIST_PATIENCE_MS);
    try {
      const upstream = await open(mirror, repository);
      const all = await upstream.referrers(digest, { signal, incomplete: () => {} });
      let bytes = 0;
      const found = all.filter((each) => {
        bytes += JSON.stringify(each).length;
        return bytes <= MOST_REFERRERS_BYTES;
      });
      return { found, isCut: false };
    } catch {
      return { found: [], isCut: true };
    }
  }

  const keepTags = keptLists<string>();
  const keepReferrers = keptLists<Descriptor>();

  return {
    look: (mirror, place) => resolve(mirror, place, true),
    ask(mirror, place, isHere) {
      const key = `${mirror.registryId} ${place.repository} ${place.reference} ${isHere}`;
      const known = flights.get(key);
      if (known) return known;
      const flight = askOnce(mirror, place, isHere);
      flights.set(key, flight);
      flight.then(
        () => flights.set(key, flight, { ttl: REUSE_MS }),
        () => flights.delete(key),
      );
      return flight;
    },
    tags: (mirror, repository) =>
      keepTags(mirror, upstreamRepository(mirror, repository), () => listTags(mirror, repository)),
    referrers: (mirror, repository, digest) =>
      keepReferrers(mirror, `${upstreamRepository(mirror, repository)}@${digest}`, () =>
        listReferrers(mirror, repository, digest),
      ),
  };
}

interface Listed<T> {
  found: readonly T[];
  /** By a fault or the end of its time: the list is asked for again soon. */
  isCut: boolean;
}

/** Lists of upstreams, each of which counts as long as an answer about a tag. */
function keptLists<T>() {
  const lists = new LRUCache<string, Promise<readonly T[]>>({ max: MOST_LISTS });
  return (
    { registryId, checkMinutes }: Mirror,
    name: string,
    list: () => Promise<Listed<T>>,
  ): Promise<readonly T[]> => {
    const key = `${registryId} ${name} ${checkMinutes}`;
    const known = lists.get(key);
    if (known) return known;
    const listing = list().then(({ found, isCut }) => {
      if (isCut) lists.set(key, listing, { ttl: FAILED_LIST_MS });
      return found;
    });
    lists.set(key, listing, { ttl: checkMinutes * 60_000 });
    return listing;
  };
}

/**
 * Some registries refuse HEAD, or know no tag by it, and serve the image
 * (https://github.com/containerd/containerd/pull/6684). And a reply to HEAD has no words, which a
 * client is to see that gets nothing else.
 */
function isToBeFetched(error: unknown, isHere: boolean): boolean {
  return isAppError(error) && (REFUSALS.has(error.kind) || (!isHere && WORDLESS.has(error.kind)));
}

const REFUSALS = new Set(['forbidden', 'not_found']);
const WORDLESS = new Set(['unauthenticated', 'rate_limited']);

function faultOf({ host }: Mirror, error: unknown) {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { code: 'UPSTREAM_SILENT', message: `${host} doesn't answer in time`, gone: false };
  if (!isAppError(error)) throw error;
  const { code, message, kind } = error;
  return { code, message, gone: kind === 'not_found' && code !== 'REGISTRY_UNKNOWN' };
}
