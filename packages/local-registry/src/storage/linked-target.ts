/**
 * A push target for a repository of the built-in registry that links blobs of this machine into the
 * registry's storage in place of uploading them. Manifests go through the registry, which checks
 * that it has the blobs.
 */
import {
  type Descriptor,
  type Digest,
  isManifestType,
  type Mounter,
  type Target,
  wrapTarget,
} from '@portcullis/oci';
import { type BlobPlacement, isBySha256 } from './blob-placement.ts';

export interface LinkedTargetOptions {
  repository: string;
  placement: LivePlacement;
  /** The path of a file with the verified blob, which need not exist. */
  fileOf(digest: Digest): string;
}

/** A placement that ends when the registry turns out to have another storage. */
export interface LivePlacement extends BlobPlacement {
  /** False once it has ended. */
  isOn(): boolean;
  /** True once the registry has confirmed a placed blob. */
  isConfirmed(): boolean;
  /** Called after a placement with the registry's own answer, until it is true once. */
  confirm(isInRegistry: () => Promise<boolean>): Promise<boolean>;
}

/** @param failed called once, when the directory is not the registry's storage */
export function livePlacement(placement: BlobPlacement, failed: () => void): LivePlacement {
  let state: 'unconfirmed' | 'confirmed' | 'ended' = 'unconfirmed';
  return {
    ...placement,
    isOn: () => state !== 'ended',
    isConfirmed: () => state === 'confirmed',
    async confirm(isInRegistry) {
      if (state === 'unconfirmed') {
        const isThere = await isInRegistry();
        if (state === 'unconfirmed') {
          state = isThere ? 'confirmed' : 'ended';
          if (!isThere) failed();
        }
      }
      return state === 'confirmed';
    },
  };
}

export function linkedTarget(
  target: Target & Mounter,
  { repository, placement, fileOf }: LinkedTargetOptions,
): Target & Mounter {
  const isLinkable = ({ mediaType }: Descriptor) => placement.isOn() && !isManifestType(mediaType);

  async function placeBlob(descriptor: Descriptor): Promise<boolean> {
    if (!isLinkable(descriptor)) return false;
    if (!(await placement.place(repository, descriptor, fileOf(descriptor.digest)))) return false;
    return placement.confirm(() => target.exists(descriptor));
  }

  return wrapTarget(target, {
    async exists(descriptor, options) {
      if (!isLinkable(descriptor)) return target.exists(descriptor, options);
      if (await placement.has(repository, descriptor))
        return placement.confirm(() => target.exists(descriptor));
      if (placement.isConfirmed() && isBySha256(descriptor)) return false;
      // No question to the registry, which may open an upload with its answer.
      if (await placement.isPlaceable(descriptor, fileOf(descriptor.digest))) return false;
      return target.exists(descriptor, options);
    },
    mount: async (descriptor, from, options) =>
      (await placeBlob(descriptor)) || target.mount(descriptor, from, options),
    async push(descriptor, open, options) {
      if (!(await placeBlob(descriptor))) return target.push(descriptor, open, options);
      options?.onBytes?.(descriptor.size, 'reused');
    },
  });
}
