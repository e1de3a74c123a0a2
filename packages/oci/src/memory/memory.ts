/** Repository in memory, as a source and a target: for tests and for generated content. */

import { contentOf } from '../copy/buffered.ts';
import type { Pusher, ReferrerLister, Target } from '../copy/content.ts';
import { createVerifier } from '../copy/verified.ts';
import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import { parseManifest } from '../model/manifest.ts';
import { isManifestType } from '../model/media-type.ts';
import { notFound } from '../oci-error.ts';

export interface MemoryStore extends Target, ReferrerLister {
  readonly contents: ReadonlyMap<Digest, Uint8Array>;
  readonly tags: ReadonlyMap<string, Descriptor>;
}

export function createMemoryStore(): MemoryStore {
  const contents = new Map<Digest, Uint8Array>();
  const manifests = new Map<Digest, Descriptor>();
  const tags = new Map<string, Descriptor>();

  const push: Pusher['push'] = async (descriptor, open, { signal, onBytes, tag } = {}) => {
    const bytes = new Uint8Array(descriptor.size);
    const verifier = createVerifier(descriptor);
    for await (const chunk of await open({ signal })) {
      signal?.throwIfAborted();
      const at = verifier.seen;
      verifier.update(chunk);
      bytes.set(chunk, at);
      onBytes?.(chunk.byteLength, 'moved');
    }
    verifier.end();
    contents.set(descriptor.digest, bytes);
    if (isManifestType(descriptor.mediaType)) manifests.set(descriptor.digest, descriptor);
    if (tag !== undefined) tags.set(tag, descriptor);
  };

  return {
    contents,
    tags,
    push,
    exists: async ({ digest, size }) => contents.get(digest)?.byteLength === size,
    async resolve(reference) {
      const found =
        tags.get(reference) ?? [...manifests.values()].find(({ digest }) => digest === reference);
      if (!found) throw notFound('MANIFEST_UNKNOWN', `there is no ${reference}`);
      const { mediaType, digest, size } = found;
      return { mediaType, digest, size };
    },
    async fetch({ digest }, options) {
      options?.signal?.throwIfAborted();
      const bytes = contents.get(digest);
      if (!bytes) throw notFound('BLOB_UNKNOWN', `there is no ${digest}`);
      return contentOf(bytes, options);
    },
    async tag(descriptor, tag) {
      if (!contents.has(descriptor.digest))
        throw notFound('MANIFEST_UNKNOWN', `there is no ${descriptor.digest}`);
      tags.set(tag, descriptor);
    },
    async referrers(digest) {
      const found: Descriptor[] = [];
      for (const descriptor of manifests.values()) {
        const bytes = contents.get(descriptor.digest);
        const document = bytes && (await parseManifest(bytes, descriptor.mediaType));
        if (document?.subject?.digest === digest) found.push(descriptor);
      }
      return found;
    },
  };
}
