import type { Descriptor } from '../model/descriptor.ts';
import type { Index, Manifest } from '../model/manifest.ts';
import { isForeign, isManifestType } from '../model/media-type.ts';
import { invalid } from '../oci-error.ts';

/**
 * Direct children of a manifest or index, each digest once, in document order. `subject` is not
 * included: an artifact may be stored before, or without, its subject (distribution spec § Pushing
 * manifests with subject). Where a document names a digest several times, the child is all of what
 * is said: no later descriptor may hide that it is a manifest, or make it smaller.
 */
export function successors(document: Manifest | Index): Descriptor[] {
  const byDigest = new Map<string, Descriptor>();
  for (const child of childrenOf(document)) {
    const known = byDigest.get(child.digest);
    byDigest.set(child.digest, known ? union(known, child) : child);
  }
  return [...byDigest.values()];
}

/**
 * A digest has one size, so that one of two is wrong.
 * @throws invalid `SIZE_MISMATCH`
 */
export function assertOneSizeEach(document: Manifest | Index): void {
  const sizes = new Map<string, number>();
  for (const { digest, size } of childrenOf(document)) {
    const known = sizes.get(digest) ?? size;
    if (known !== size)
      throw invalid(
        'SIZE_MISMATCH',
        `the manifest states two sizes of ${digest}, ${known} and ${size}`,
        { side: 'source', detail: { digest } },
      );
    sizes.set(digest, size);
  }
}

function childrenOf(document: Manifest | Index): readonly Descriptor[] {
  return document.kind === 'index' ? document.manifests : [document.config, ...document.layers];
}

function union(known: Descriptor, other: Descriptor): Descriptor {
  const told = rankOf(other) > rankOf(known) ? other : known;
  return { ...told, size: Math.max(known.size, other.size) };
}

/** A manifest is followed, and a layer that clients may fetch elsewhere can be absent. */
function rankOf(child: Descriptor): number {
  if (isManifestType(child.mediaType)) return 2;
  return isForeign(child) ? 0 : 1;
}
