import type { Descriptor } from '../model/descriptor.ts';
import type { Index, Manifest } from '../model/manifest.ts';

/**
 * The content a manifest needs to be whole, each digest once, in the order of the document. `subject` isn't
 * needed: an artifact may be stored before, or without, what it refers to (distribution spec § Pushing manifests
 * with subject).
 */
export function successors(document: Manifest | Index): Descriptor[] {
  const children =
    document.kind === 'index' ? document.manifests : [document.config, ...document.layers];
  const byDigest = new Map(children.map((child) => [child.digest, child]));
  return [...byDigest.values()];
}
