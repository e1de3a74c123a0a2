/** Reads the blobs of a repository from the registry's storage where it has them. */
import { type Content, type Descriptor, isManifestType } from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import type { StoredContent } from '../storage/stored-content.ts';

/** The part of the storage that replaces requests to the registry. */
export type ReadableStorage = Pick<StoredContent, 'openBlob' | 'taggedDigest' | 'isFresh'>;

/** A larger blob is streamed from the registry. */
const MOST_BYTES = 4 * 1024 * 1024;

/** `fetch` as of the registry; what the storage lacks, or can't be read, the registry answers. */
export function storedFetch(
  storage: ReadableStorage,
  repository: string,
  fetch: Repository['fetch'],
): Repository['fetch'] {
  return async (descriptor, options) => {
    const isRead = !isManifestType(descriptor.mediaType) && descriptor.size <= MOST_BYTES;
    const bytes = isRead ? await readBlob(storage, repository, descriptor).catch(() => null) : null;
    return bytes === null ? fetch(descriptor, options) : contentOf(bytes);
  };
}

async function readBlob(
  storage: ReadableStorage,
  repository: string,
  { digest, size }: Descriptor,
): Promise<Uint8Array | null> {
  const blob = await storage.openBlob(repository, digest);
  if (blob === null) return null;
  try {
    const bytes = new Uint8Array(size);
    const { bytesRead } = await blob.file.read(bytes, 0, size, 0);
    return bytesRead === size && blob.size === size ? bytes : null;
  } finally {
    await blob.file.close();
  }
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
