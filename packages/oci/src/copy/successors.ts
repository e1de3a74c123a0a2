import type { Descriptor } from '../model/descriptor.ts';
import type { Index, Manifest } from '../model/manifest.ts';

/**
 * Direct children of a manifest or index, each digest once, in document order. `subject` is not
 * included: an artifact may be stored before, or without, its subject (distribution spec § Pushing
 * manifests with subject).
 */
export function successors(document: Manifest | Index): Descriptor[] {
  const children =
    document.kind === 'index' ? document.manifests : [document.config, ...document.layers];
  const byDigest = new Map(children.map((child) => [child.digest, child]));
  return [...byDigest.values()];
}
