/**
 * A push target for a repository of the built-in registry that writes and mounts blobs in the
 * registry's storage itself, in place of uploading them. Manifests go through the registry, which
 * checks that it has the blobs.
 */
import {
  type Descriptor,
  isManifestType,
  type Mounter,
  type Target,
  wrapTarget,
} from '@portcullis/oci';
import { fillBlob } from '@portcullis/oci/layout';
import { isBySha256 } from './blob-placement.ts';
import type { LivePlacement } from './linked-target.ts';

export interface StoringTargetOptions {
  repository: string;
  placement: LivePlacement;
}

export function storingTarget(
  target: Target & Mounter,
  { repository, placement }: StoringTargetOptions,
): Target & Mounter {
  const isBlob = ({ mediaType }: Descriptor) => placement.isOn() && !isManifestType(mediaType);
  const isInRegistry = (descriptor: Descriptor) =>
    placement.confirm(() => target.exists(descriptor));

  return wrapTarget(target, {
    async push(descriptor, open, options) {
      const isStored =
        isBlob(descriptor) &&
        (await placement.write(repository, descriptor, (path) =>
          fillBlob(path, descriptor, open, options),
        )) &&
        (await isInRegistry(descriptor));
      if (!isStored) await target.push(descriptor, open, options);
    },
    async mount(descriptor, from, options) {
      const isMounted =
        isBlob(descriptor) &&
        isBySha256(descriptor) &&
        (await placement.mount(repository, from, descriptor.digest)) &&
        (await isInRegistry(descriptor));
      return isMounted || target.mount(descriptor, from, options);
    },
  });
}
