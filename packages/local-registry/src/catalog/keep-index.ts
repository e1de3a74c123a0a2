/** Keeps the index of the registry's content up to date: after each push, and by looking. */
import { type AppError, isAppError } from '@portcullis/errors';
import { type Descriptor, type Digest, isDigest } from '@portcullis/oci';
import { DELETED_TAG, type Repository } from '@portcullis/oci/remote';
import { describeImage, type ManifestFacts } from './describe.ts';

/** The part of the store that is written. */
export interface ImageIndex {
  tagNames(repository: string, digest?: string): Promise<{ tag: string; digest: string }[]>;
  digests(repository: string): Promise<string[]>;
  known(repository: string, digests: readonly string[]): Promise<ReadonlySet<string>>;
  record(image: {
    repository: string;
    tag: string | null;
    digest: string;
    manifests: ManifestFacts[];
    at: Date;
  }): Promise<void>;
  removeTag(repository: string, tag: string): Promise<void>;
  removeManifest(repository: string, digest: string): Promise<void>;
}

export interface StoredManifest {
  repository: string;
  tag: string | null;
  digest: Digest;
  mediaType: string;
  bytes: Uint8Array;
}

export interface IndexKeeperPorts {
  index: ImageIndex;
  open(repository: string): Pick<Repository, 'resolve' | 'fetch' | 'exists' | 'allTags' | 'remove'>;
  now(): Date;
}

export interface IndexKeeper {
  /** After the registry took a manifest. */
  stored(manifest: StoredManifest): Promise<void>;
  /** After the registry removed one. @param reference a tag or a digest */
  removed(place: { repository: string; reference: string }): Promise<void>;
  /** Looks what a tag, or a digest, stands for now. */
  look(repository: string, reference: string, signal?: AbortSignal): Promise<void>;
  /** Makes a whole repository's part of the index what the registry has. */
  reconcile(repository: string, signal?: AbortSignal): Promise<void>;
}

export function createIndexKeeper({ index, open, now }: IndexKeeperPorts): IndexKeeper {
  async function stored({
    repository,
    tag,
    digest,
    mediaType,
    bytes,
  }: StoredManifest): Promise<void> {
    const root = { mediaType, digest, size: bytes.byteLength };
    await record({ repository, tag, root, bytes });
    if (tag !== null) await follow(repository, tag, digest);
  }

  async function removed({
    repository,
    reference,
  }: {
    repository: string;
    reference: string;
  }): Promise<void> {
    if (isDigest(reference)) return index.removeManifest(repository, reference);
    await follow(repository, reference);
  }

  async function look(repository: string, reference: string, signal?: AbortSignal): Promise<void> {
    if (!isDigest(reference)) return follow(repository, reference, undefined, signal);
    const root = await unlessGone(() => open(repository).resolve(reference, { signal }));
    if (root) await record({ repository, tag: null, root, signal });
    else await index.removeManifest(repository, reference);
  }

  /**
   * Until the index says of a tag what the registry says. Two pushes may be told in another order than the registry
   * took them, and one may come while we look: whoever writes last looks once more.
   * @param told the digest the index has; null where it has none, undefined where that isn't known
   */
  async function follow(
    repository: string,
    tag: string,
    told?: string | null,
    signal?: AbortSignal,
  ): Promise<void> {
    let indexed = told;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const root = await unlessGone(() => open(repository).resolve(tag, { signal }));
      const found = root?.digest ?? null;
      if (found === indexed) return;
      if (root) await record({ repository, tag, root, signal });
      else await index.removeTag(repository, tag);
      indexed = found;
    }
  }

  async function record({ repository, tag, root, bytes, signal }: Recording): Promise<void> {
    const known = (digests: Digest[]) => index.known(repository, digests);
    const manifests = await describeImage(open(repository), root, { known, bytes, signal });
    if (manifests.at(-1)?.artifactType === DELETED_TAG)
      return finishDeletion(repository, tag, root.digest);
    await index.record({ repository, tag, digest: root.digest, manifests, at: now() });
  }

  /** Whoever deleted the tag didn't get to the end of it. */
  async function finishDeletion(
    repository: string,
    tag: string | null,
    standIn: Digest,
  ): Promise<void> {
    await unlessGone(() => open(repository).remove(standIn));
    if (tag !== null) await index.removeTag(repository, tag);
  }

  async function reconcile(repository: string, signal?: AbortSignal): Promise<void> {
    const before = new Map(
      (await index.tagNames(repository)).map(({ tag, digest }) => [tag, digest]),
    );
    const there = (await unlessGone(() => open(repository).allTags({ signal }))) ?? [];
    for (const tag of new Set([...there, ...before.keys()])) {
      signal?.throwIfAborted();
      await follow(repository, tag, before.get(tag), signal);
    }
    await forgetGone(repository, signal);
  }

  /** What a garbage collection took away. */
  async function forgetGone(repository: string, signal: AbortSignal | undefined): Promise<void> {
    const tagged = new Set((await index.tagNames(repository)).map(({ digest }) => digest));
    for (const digest of await index.digests(repository)) {
      if (tagged.has(digest) || !isDigest(digest)) continue;
      const found = await unlessGone(() => open(repository).resolve(digest, { signal }));
      if (found === null) await index.removeManifest(repository, digest);
    }
  }

  return { stored, removed, look, reconcile };
}

/** A tag that moves faster than we look is left to the next reconciliation. */
const MAX_TRIES = 3;

interface Recording {
  repository: string;
  tag: string | null;
  root: Descriptor;
  bytes?: Uint8Array | undefined;
  signal?: AbortSignal | undefined;
}

/** Null where the registry itself says that it isn't there; one that can't be asked is no answer. */
async function unlessGone<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function isGone(error: unknown): error is AppError {
  return isAppError(error) && error.kind === 'not_found';
}
