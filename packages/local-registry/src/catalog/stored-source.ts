/**
 * Reads tags, manifests and blobs of a repository from the registry's storage where it has them.
 * Everything is compared with its digest; the registry answers for the rest.
 */
import {
  algorithmOf,
  type Content,
  type Descriptor,
  type Digest,
  digestOf,
  isDigest,
  isManifestType,
  MANIFEST_MEDIA_TYPES,
  type Source,
} from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import type { StoredContent } from '../storage/stored-content.ts';
import { fieldsOf } from './stored-manifests.ts';

/** The part of the storage that replaces requests to the registry. */
export type ReadableStorage = Pick<
  StoredContent,
  'openBlob' | 'openManifest' | 'hasManifest' | 'taggedDigest' | 'isFresh'
>;

type Registry = Pick<Repository, 'resolve' | 'fetch'>;

interface StoredReader {
  /** The repository of the registry, read from the storage where possible. */
  over(repository: string, registry: Registry): Source;
}

/** A larger blob is streamed from the registry. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Tags are read once the registry has named a manifest that the storage has as well, and not any
 * more after one that it lacks: then the directory belongs to another registry.
 */
export function createStoredReader(storage: ReadableStorage): StoredReader {
  let isTheRegistrys: boolean | null = null;

  async function compare(repository: string, digest: Digest): Promise<void> {
    if (isTheRegistrys === false || !storage.isFresh() || algorithmOf(digest) !== 'sha256') return;
    isTheRegistrys = await storage.hasManifest(repository, digest).catch(() => false);
  }

  async function findStored(repository: string, reference: string): Promise<Descriptor | null> {
    if (isTheRegistrys !== true || !storage.isFresh()) return null;
    const digest = isDigest(reference)
      ? reference
      : await storage.taggedDigest(repository, reference);
    const bytes = digest && (await wholeOf(await storage.openManifest(repository, digest), digest));
    const mediaType = bytes && (await statedType(bytes));
    return mediaType ? { mediaType, digest, size: bytes.length } : null;
  }

  return {
    over: (repository, registry) => ({
      async resolve(reference, options) {
        const found = await findStored(repository, reference).catch(() => null);
        if (found) return found;
        const answer = await registry.resolve(reference, options);
        await compare(repository, answer.digest);
        return answer;
      },
      async fetch(descriptor, options) {
        const bytes = await read(storage, repository, descriptor).catch(() => null);
        return bytes === null ? registry.fetch(descriptor, options) : contentOf(bytes);
      },
    }),
  };
}

async function read(
  storage: ReadableStorage,
  repository: string,
  { mediaType, digest, size }: Descriptor,
): Promise<Uint8Array | null> {
  if (size > MOST_BYTES) return null;
  if (!isManifestType(mediaType))
    return wholeOf(await storage.openBlob(repository, digest), digest, size);
  // A network's file system may show a manifest that was deleted.
  if (!storage.isFresh()) return null;
  return wholeOf(await storage.openManifest(repository, digest), digest, size);
}

type OpenFile = Awaited<ReturnType<StoredContent['openBlob']>>;

/** Closes the file. Null where its bytes are not those of the digest, or not as many. */
async function wholeOf(
  opened: OpenFile,
  digest: Digest,
  expected?: number,
): Promise<Uint8Array | null> {
  if (opened === null) return null;
  const { file, size } = opened;
  try {
    if (size > MOST_BYTES || (expected !== undefined && size !== expected)) return null;
    const bytes = new Uint8Array(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    const isWhole = bytesRead === size;
    return isWhole && (await digestOf(bytes, algorithmOf(digest))) === digest ? bytes : null;
  } finally {
    await file.close();
  }
}

/** Null where the manifest does not state one that we can copy: the registry decides what it is. */
async function statedType(bytes: Uint8Array): Promise<string | null> {
  const mediaType = (await fieldsOf(bytes))?.mediaType;
  return MANIFEST_MEDIA_TYPES.find((known) => known === mediaType) ?? null;
}

function contentOf(bytes: Uint8Array): Content {
  return {
    offset: 0,
    cancel: () => {},
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}
