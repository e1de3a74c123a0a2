/**
 * Holds the immutable tags of the local registry's folders: every write and every deletion of a tag
 * or a manifest passes here. See docs/decisions/0066-immutable-tags.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { folderOf } from '@portcullis/domain';
import {
  immutablePattern,
  type PatternOf,
  refusingPattern,
} from '@portcullis/domain/immutable-tags';
import {
  type AppError,
  conflict,
  isAppError,
  isTransient,
  unavailable,
  unlessMissing,
} from '@portcullis/errors';
import { isReferrersTag, type Mounter, type Target, wrapTarget } from '@portcullis/oci';
import type { GateRules } from '../rules.ts';
import { leadsToReferrers, type ReadRepository, reachableIn } from './reachable.ts';

export interface ImmutableTagsPorts {
  rules(): Promise<Pick<GateRules, 'gateOf'>>;
  folders(): Promise<ReadonlySet<string>>;
  open(repository: string): ReadRepository;
  claims: {
    /** Null while the key is held for another purpose. */
    claim(key: string, purpose: string): Promise<Claim | null>;
  };
  /** For tests. */
  patienceMs?: number;
}

interface Claim {
  release(): Promise<void>;
  /** Lets the claim end by its lease. */
  abandon(): void;
}

export interface TagWrite {
  tag: string;
  digest: string;
}

/** Tells that the registry did not answer: the change may still arrive. */
type Unanswered = () => void;

/** What immutable tags lead to. */
export interface KeptDigests {
  /** @throws conflict `TAG_IMMUTABLE` where an immutable tag leads to it */
  assertFree(digest: string): void;
}

export interface ImmutableTags {
  /** The pattern that makes a tag of the repository immutable. */
  patternOf(repository: string): Promise<PatternOf>;
  /** @throws conflict `TAG_IMMUTABLE` where the tag exists with another digest */
  assertMoves(repository: string, write: TagWrite): Promise<void>;
  /**
   * Creates or moves a tag while nothing else changes it.
   * @throws as `assertMoves`, also while the tag is pushed with another digest; unavailable
   */
  writing<T>(
    repository: string,
    write: TagWrite,
    work: (unanswered: Unanswered) => Promise<T>,
  ): Promise<T>;
  /** @throws conflict `TAG_IMMUTABLE` where the tag exists; unavailable */
  removingTag<T>(repository: string, tag: string, work: () => Promise<T>): Promise<T>;
  /** Deletes manifests or blobs by digest. @throws unavailable */
  removing<T>(
    repository: string,
    work: (kept: KeptDigests, unanswered: Unanswered) => Promise<T>,
  ): Promise<T>;
}

const NONE: PatternOf = () => null;
const NOTHING_KEPT: KeptDigests = { assertFree() {} };
const POLL_MS = 50;
const PATIENCE_MS = 10_000;

/** For tests: as where no folder has a pattern. */
export const UNUSED_TAGS: ImmutableTags = {
  patternOf: async () => NONE,
  assertMoves: async () => {},
  writing: (_, __, work) => work(() => {}),
  removingTag: (_, __, work) => work(),
  removing: (_, work) => work(NOTHING_KEPT, () => {}),
};

export function createImmutableTags(ports: ImmutableTagsPorts): ImmutableTags {
  const { rules, folders, open, claims, patienceMs = PATIENCE_MS } = ports;
  const compiled = new WeakMap<readonly string[], PatternOf>();

  async function tagsOf(repository: string): Promise<RepositoryTags | null> {
    const folder = folderOf(repository, await folders());
    const { immutableTags } = (await rules()).gateOf(folder);
    if (immutableTags.length === 0) return null;
    const patternOf = compiled.get(immutableTags) ?? immutablePattern(immutableTags);
    compiled.set(immutableTags, patternOf);
    return { repository, folder, patternOf };
  }

  async function assertAllowed(
    tags: RepositoryTags,
    tag: string,
    next: string | null,
  ): Promise<void> {
    const repository = open(tags.repository);
    const found = await unlessMissing(repository.resolve(tag));
    const present = found?.digest ?? null;
    const pattern = refusingPattern(tags.patternOf, { tag, present, next });
    if (pattern === null || (await leadsToReferrers(repository, tag))) return;
    throw immutable(tags, tag, pattern);
  }

  /** Writes of immutable tags and deletions in a repository exclude each other. */
  const claimRepository = (repository: string, purpose: Purpose) =>
    waitFor(repository, { key: repository, purpose });

  /** Clients add referrers at the same time: each waits for its turn. */
  async function claimTag(
    { repository }: RepositoryTags,
    { tag, digest }: TagWrite,
  ): Promise<Claim | null> {
    const key = `${repository}:${tag}`;
    if (isReferrersTag(tag)) return waitFor(repository, { key, purpose: digest });
    return claims.claim(key, digest);
  }

  async function waitFor(
    repository: string,
    { key, purpose }: { key: string; purpose: string },
  ): Promise<Claim> {
    for (const end = performance.now() + patienceMs; ; await sleep(POLL_MS)) {
      const claim = await claims.claim(key, purpose);
      if (claim) return claim;
      if (performance.now() >= end) throw busy(repository);
    }
  }

  return {
    patternOf: async (repository) => (await tagsOf(repository))?.patternOf ?? NONE,
    async assertMoves(repository, { tag, digest }) {
      const tags = await tagsOf(repository);
      if (tags && tags.patternOf(tag) !== null) await assertAllowed(tags, tag, digest);
    },
    async writing(repository, { tag, digest }, work) {
      const tags = await tagsOf(repository);
      const pattern = tags?.patternOf(tag) ?? null;
      if (!tags || pattern === null) return work(() => {});
      return holding(await claimRepository(repository, 'write'), async (unanswered) => {
        const claim = await claimTag(tags, { tag, digest });
        if (!claim) throw beingPushed(tags, tag, pattern);
        return holding(claim, async (unansweredTag) => {
          await assertAllowed(tags, tag, digest);
          return work(() => {
            unanswered();
            unansweredTag();
          });
        });
      });
    },
    async removingTag(repository, tag, work) {
      const tags = await tagsOf(repository);
      if (!tags || tags.patternOf(tag) === null) return work();
      return holding(await claimRepository(repository, 'delete'), async () => {
        await assertAllowed(tags, tag, null);
        return work();
      });
    },
    async removing(repository, work) {
      const tags = await tagsOf(repository);
      if (!tags) return work(NOTHING_KEPT, () => {});
      const isKept = (tag: string) => tags.patternOf(tag) !== null;
      const reachable = reachableIn(open(repository), isKept);
      // With very many tags this takes long, and writers are not held off.
      await reachable.read();
      return holding(await claimRepository(repository, 'delete'), async (unanswered) => {
        const kept = await reachable.read();
        const assertFree = (digest: string) => {
          const tag = kept.get(digest);
          const pattern = tag === undefined ? null : tags.patternOf(tag);
          if (tag !== undefined && pattern !== null) throw leadsTo(tags, { tag, digest, pattern });
        };
        return work({ assertFree }, unanswered);
      });
    },
  };
}

type Purpose = 'write' | 'delete';

interface RepositoryTags {
  repository: string;
  folder: string;
  patternOf: PatternOf;
}

/** A change without an answer may still arrive, so that its claim ends by the lease. */
async function holding<T>(claim: Claim, work: (unanswered: Unanswered) => Promise<T>): Promise<T> {
  let isAnswered = true;
  try {
    return await work(() => {
      isAnswered = false;
    });
  } catch (error) {
    if (!isAppError(error) || isTransient(error)) isAnswered = false;
    throw error;
  } finally {
    if (isAnswered) await claim.release();
    else claim.abandon();
  }
}

/** A push target for a repository of the local registry that writes no immutable tag anew. */
export function keepingTags(
  repository: string,
  target: Target & Mounter,
  tags: Pick<ImmutableTags, 'writing'>,
): Target & Mounter {
  return wrapTarget(target, {
    async push(descriptor, open, options) {
      const push = () => target.push(descriptor, open, options);
      if (options?.tag === undefined) return push();
      await tags.writing(repository, { tag: options.tag, digest: descriptor.digest }, push);
    },
    tag: (descriptor, tag, options) =>
      tags.writing(repository, { tag, digest: descriptor.digest }, () =>
        target.tag(descriptor, tag, options),
      ),
  });
}

const CODE = 'TAG_IMMUTABLE';

function immutable({ repository, folder }: RepositoryTags, tag: string, pattern: string): AppError {
  return conflict(
    CODE,
    `the tag ${tag} of ${repository} is immutable in the folder ${folder} ("${pattern}"): it exists, so it can be neither moved nor deleted`,
    { detail: { repository, folder, tag, pattern } },
  );
}

function beingPushed(
  { repository, folder }: RepositoryTags,
  tag: string,
  pattern: string,
): AppError {
  return conflict(
    CODE,
    `the tag ${tag} of ${repository} is immutable in the folder ${folder} ("${pattern}"), and another image is being pushed to it`,
    { detail: { repository, folder, tag, pattern } },
  );
}

function leadsTo(
  { repository, folder }: RepositoryTags,
  { tag, digest, pattern }: TagWrite & { pattern: string },
): AppError {
  return conflict(
    CODE,
    `${digest} can't be deleted: the tag ${tag} of ${repository} leads to it and is immutable in the folder ${folder} ("${pattern}")`,
    { detail: { repository, folder, tag, pattern } },
  );
}

function busy(repository: string): AppError {
  const message = `${repository} is being changed; try again in a moment`;
  return unavailable('REGISTRY_UNAVAILABLE', message, { retryAfter: 10 });
}
