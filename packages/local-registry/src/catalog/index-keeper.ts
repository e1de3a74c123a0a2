/** Keeps the index of the built-in registry up to date: after each push, and by reconciliation. */
import { unlessMissing } from '@portcullis/errors';
import { type Descriptor, type Digest, isDigest, type Source } from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import { DELETED_TAG_TYPE } from '../client-identity.ts';
import { type DescribedManifest, describeImage } from './describe.ts';
import { createStoredReader, type ReadableStorage } from './stored-source.ts';

/** The part of the store that is written. */
interface ImageIndex {
  tagNames(repository: string, digest?: string): Promise<{ tag: string; digest: string }[]>;
  digests(repository: string): Promise<string[]>;
  known(repository: string, digests: readonly string[]): Promise<ReadonlySet<string>>;
  record(image: {
    repository: string;
    tag: string | null;
    digest: string;
    manifests: DescribedManifest[];
    found: boolean;
  }): Promise<void>;
  removeTag(repository: string, tag: string): Promise<void>;
  removeManifest(repository: string, digest: string): Promise<void>;
}

interface StoredManifest {
  repository: string;
  tag: string | null;
  digest: Digest;
  mediaType: string;
  bytes: Uint8Array;
}

export interface IndexKeeperPorts {
  index: ImageIndex;
  open(repository: string): Pick<Repository, 'resolve' | 'fetch' | 'exists' | 'allTags' | 'remove'>;
  /** The registry's storage, which saves requests; null where only the registry can be asked. */
  storage?: ReadableStorage | null;
  /** Called after a tag was recorded. Must not throw. */
  tagged?(image: { repository: string; digest: string }): Promise<void>;
}

export interface IndexKeeper {
  /** Called after the registry accepted a manifest. */
  stored(manifest: StoredManifest): Promise<void>;
  /** Called after the registry removed one. @param reference a tag or a digest */
  removed(place: { repository: string; reference: string }): Promise<void>;
  /**
   * Updates the index with what a tag or digest currently resolves to.
   * @returns the manifests that were recorded, children first
   */
  look(repository: string, reference: string, signal?: AbortSignal): Promise<Digest[]>;
  /** Makes the index of a whole repository equal to the registry's content. */
  reconcile(repository: string, signal?: AbortSignal): Promise<void>;
}

export function createIndexKeeper({
  index,
  open,
  storage = null,
  tagged,
}: IndexKeeperPorts): IndexKeeper {
  const reader = storage && createStoredReader(storage);

  async function addStored({
    repository,
    tag,
    digest,
    mediaType,
    bytes,
  }: StoredManifest): Promise<void> {
    const root = { mediaType, digest, size: bytes.byteLength };
    await record({ repository, tag, root, bytes });
    if (tag !== null) await follow({ repository, tag, lastKnown: digest });
  }

  async function dropRemoved({
    repository,
    reference,
  }: {
    repository: string;
    reference: string;
  }): Promise<void> {
    if (isDigest(reference)) return index.removeManifest(repository, reference);
    await follow({ repository, tag: reference });
  }

  async function look(
    repository: string,
    reference: string,
    signal?: AbortSignal,
  ): Promise<Digest[]> {
    if (!isDigest(reference)) return follow({ repository, tag: reference, signal });
    const root = await unlessMissing(sourceOf(repository).resolve(reference, { signal }));
    if (root) return record({ repository, tag: null, root, signal });
    await index.removeManifest(repository, reference);
    return [];
  }

  /**
   * Repeats until index and registry agree on a tag. Two pushes may be reported in another order
   * than the registry accepted them, and one may happen between the requests: the last writer
   * checks once more.
   * @returns the manifests that were recorded
   */
  async function follow({
    repository,
    tag,
    lastKnown,
    signal,
    found: isFound,
  }: Following): Promise<Digest[]> {
    const recorded: Digest[] = [];
    let indexed = lastKnown;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (typeof indexed === 'string' && (await storedDigest(repository, tag)) === indexed)
        return recorded;
      const root = await unlessMissing(sourceOf(repository).resolve(tag, { signal }));
      const found = root?.digest ?? null;
      if (found === indexed) return recorded;
      if (root) recorded.push(...(await record({ repository, tag, root, signal, found: isFound })));
      else await index.removeTag(repository, tag);
      indexed = found;
    }
    return recorded;
  }

  /** What the tag names in the storage; null where the registry has to be asked. */
  async function storedDigest(repository: string, tag: string): Promise<string | null> {
    return storage?.isFresh() ? storage.taggedDigest(repository, tag).catch(() => null) : null;
  }

  /** @returns the manifests that were recorded */
  async function record({
    repository,
    tag,
    root,
    bytes,
    signal,
    found = false,
  }: Recording): Promise<Digest[]> {
    const known = (digests: Digest[]) => index.known(repository, digests);
    const source = sourceOf(repository);
    const manifests = await describeImage(source, root, { known, bytes, signal });
    if (manifests.at(-1)?.artifactType === DELETED_TAG_TYPE) {
      await finishDeletion(repository, tag, root.digest);
      return [];
    }
    await index.record({ repository, tag, digest: root.digest, manifests, found });
    if (tag !== null) await tagged?.({ repository, digest: root.digest });
    return manifests.map(({ digest }) => digest);
  }

  function sourceOf(repository: string): Source {
    const registry = open(repository);
    return reader ? reader.over(repository, registry) : registry;
  }

  /** Finishes the deletion of a tag that was interrupted. */
  async function finishDeletion(
    repository: string,
    tag: string | null,
    standIn: Digest,
  ): Promise<void> {
    await unlessMissing(open(repository).remove(standIn));
    if (tag !== null) await index.removeTag(repository, tag);
  }

  async function reconcile(repository: string, signal?: AbortSignal): Promise<void> {
    const before = new Map(
      (await index.tagNames(repository)).map(({ tag, digest }) => [tag, digest]),
    );
    const there = (await unlessMissing(open(repository).allTags({ signal }))) ?? [];
    for (const tag of new Set([...there, ...before.keys()])) {
      signal?.throwIfAborted();
      await follow({ repository, tag, lastKnown: before.get(tag), signal, found: true });
    }
    await forgetGone(repository, signal);
  }

  /** Removes from the index what a garbage collection deleted. */
  async function forgetGone(repository: string, signal: AbortSignal | undefined): Promise<void> {
    const tagged = new Set((await index.tagNames(repository)).map(({ digest }) => digest));
    for (const digest of await index.digests(repository)) {
      if (tagged.has(digest) || !isDigest(digest)) continue;
      const found = await unlessMissing(sourceOf(repository).resolve(digest, { signal }));
      if (found === null) await index.removeManifest(repository, digest);
    }
  }

  return { stored: addStored, removed: dropRemoved, look, reconcile };
}

/** A tag that moves faster than this is left to the next reconciliation. */
const MAX_TRIES = 3;

interface Recording {
  repository: string;
  tag: string | null;
  root: Descriptor;
  bytes?: Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  /** By reconciliation: when it was pushed is not known. */
  found?: boolean | undefined;
}

interface Following extends Pick<Recording, 'repository' | 'signal' | 'found'> {
  tag: string;
  /** The digest in the index; null where it has none, undefined where that is unknown. */
  lastKnown?: string | null | undefined;
}
