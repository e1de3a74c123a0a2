/** Records writes of the worker and of the api in the index of images. */
import {
  type Digest,
  isDigest,
  isManifestType,
  type Mounter,
  type Target,
  wrapTarget,
} from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import type { IndexKeeper } from './index-keeper.ts';

export interface IndexedTarget {
  target: Target & Mounter;
  /** Updates the index with what was written. */
  record(): Promise<void>;
}

/**
 * A push target whose writes are recorded in the image index, including referrers and the tags that
 * lead to them.
 */
export function indexedTarget(
  repository: string,
  target: Repository,
  keeper: Pick<IndexKeeper, 'look'>,
): IndexedTarget {
  const manifests = new Set<Digest>();
  const tags = new Set<string>();
  return {
    target: wrapTarget(target, {
      async resolve(reference, options) {
        const found = await target.resolve(reference, options);
        // A copy stores no tag that leads to its manifest already, but the index may lack the tag.
        if (!isDigest(reference)) tags.add(reference);
        return found;
      },
      async push(descriptor, open, options) {
        await target.push(descriptor, open, options);
        if (isManifestType(descriptor.mediaType)) manifests.add(descriptor.digest);
        if (options?.tag !== undefined) tags.add(options.tag);
      },
      async tag(descriptor, tag, options) {
        await target.tag(descriptor, tag, options);
        tags.add(tag);
      },
    }),
    async record() {
      // A tag's image is recorded with the manifests of its index.
      const recorded = new Set<Digest>();
      for (const reference of [...tags, ...manifests]) {
        if (isDigest(reference) && recorded.has(reference)) continue;
        for (const digest of await keeper.look(repository, reference)) recorded.add(digest);
      }
    },
  };
}
