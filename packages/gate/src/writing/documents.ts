/** Documents in memory that become blobs and manifests of the local registry. */
import { contentOf, type Descriptor, digestOf } from '@portcullis/oci';
import { createMemoryStore, type MemoryStore } from '@portcullis/oci/memory';

export interface Documents {
  /** What `copy` writes from. */
  store: MemoryStore;
  put(mediaType: string, content: Uint8Array | object): Promise<Descriptor>;
}

export function createDocuments(): Documents {
  const store = createMemoryStore();
  return {
    store,
    async put(mediaType, content) {
      const bytes = content instanceof Uint8Array ? content : jsonBytes(content);
      const descriptor = { mediaType, digest: await digestOf(bytes), size: bytes.length };
      await store.push(descriptor, async (part) => contentOf(bytes, part));
      return descriptor;
    },
  };
}

function jsonBytes(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
