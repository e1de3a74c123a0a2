import type { Descriptor } from '../model/descriptor.ts';
import type { Index, Manifest } from '../model/manifest.ts';
import { isForeign, isManifestType } from '../model/media-type.ts';

/**
 * Direct children of a manifest or index, each digest once, in document order. `subject` is not
 * included: an artifact may be stored before, or without, its subject (distribution spec § Pushing
 * manifests with subject). Where a document names a digest several times, the child is all of what
 * is said: no later descriptor may hide that it is a manifest, or make it smaller.
 */
export function successors(document: Manifest | Index): Descriptor[] {
  const children =
    document.kind === 'index' ? document.manifests : [document.config, ...document.layers];
  const byDigest = new Map<string, Descriptor>();
  for (const child of children) {
    const known = byDigest.get(child.digest);
    byDigest.set(child.digest, known ? union(known, child) : child);
  }
  return [...byDigest.values()];
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
