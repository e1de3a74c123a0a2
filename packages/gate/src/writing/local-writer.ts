/**
 * The one way to write images to the local registry without its `/v2`: what enters holds room of
 * the folder's quota, moves no immutable tag, is kept by garbage collection, and is in the index.
 */
import {
  guardedTarget,
  type IndexKeeper,
  indexedTarget,
  type WriteLock,
} from '@portcullis/local-registry';
import type { Mounter, Target } from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import { type ImmutableTags, keepingTags } from '../immutable/immutable-tags.ts';
import type { EnteringImage } from '../quota/entering.ts';
import { type Entered, type FolderQuotas, withinQuota } from '../quota/folder-quotas.ts';

export interface LocalWriterPorts {
  keeper: Pick<IndexKeeper, 'look'>;
  registryLock: WriteLock;
  immutableTags: Pick<ImmutableTags, 'writing'>;
  folderQuotas: Pick<FolderQuotas, 'entering'>;
}

export interface LocalWriter {
  /** Holds the room that the image needs while `work` writes it. @throws as `FolderQuotas` */
  entering<T>(image: EnteringImage, work: () => Promise<T>): Promise<T>;
  target: Target & Mounter;
  /** Ends the write: the index has what was written, and a manifest references each blob. */
  settle(): Promise<void>;
}

/** Writes blobs in another way than the registry's, below the lock of its writers. */
type BlobWriter = (target: Target & Mounter) => Promise<Target & Mounter>;

export async function openLocalWriter(
  { keeper, registryLock, immutableTags, folderQuotas }: LocalWriterPorts,
  { name, repository }: { name: string; repository: Repository },
  writeBlobs: BlobWriter = async (target) => target,
): Promise<LocalWriter> {
  const indexed = indexedTarget(name, repository, keeper);
  const guarded = guardedTarget(name, await writeBlobs(indexed.target), registryLock);
  let entered: Entered = new Set();
  const limited = withinQuota(name, guarded.target, {
    quotas: folderQuotas,
    entered: () => entered,
  });
  return {
    entering: (image, work) =>
      folderQuotas.entering(name, image, (digests) => {
        entered = digests;
        return work();
      }),
    target: keepingTags(name, limited, immutableTags),
    settle: async () => void (await Promise.all([indexed.record(), guarded.settle()])),
  };
}
