/**
 * Compares the sizes in a manifest with those of the stored parts: clients refuse images with wrong
 * sizes, and the registry does not compare them. The registry reports missing parts.
 */
import { invalid } from '@portcullis/errors';
import {
  type Descriptor,
  forEachAtMost,
  type Index,
  isManifestType,
  isNonDistributable,
  type Manifest,
} from '@portcullis/oci';
import type { LocalRegistryClient } from '../proxy/registry-client.ts';

const AT_ONCE = 8;
/**
 * The layers that Docker supports, and a configuration. Each part costs a request to the registry
 * and a millisecond of CPU. No known builder makes larger manifests; they are stored without the
 * comparison, and a wrong size affects only their own pull.
 */
const MAX_PARTS = 128;

export interface StatedSizesPorts extends Pick<LocalRegistryClient, 'sizeOf'> {
  /**
   * Whether the size of every part must be known: where a quota counts them. A part that arrives
   * between this question and the manifest might be larger.
   */
  every: boolean;
}

/** @throws invalid `SIZE_INVALID`, `MANIFEST_BLOB_UNKNOWN` */
export async function assertStatedSizes(
  ports: StatedSizesPorts,
  repository: string,
  document: Manifest | Index,
): Promise<void> {
  const parts =
    document.kind === 'index' ? document.manifests : [document.config, ...document.layers];
  const distinct = new Map(parts.map((part) => [`${part.digest} ${part.size}`, part]));
  if (distinct.size > MAX_PARTS && !ports.every) return;
  await forEachAtMost(AT_ONCE, distinct.values(), (part) => assertSize(ports, repository, part));
}

async function assertSize(
  { sizeOf, every }: StatedSizesPorts,
  repository: string,
  part: Descriptor,
): Promise<void> {
  const { mediaType, digest, size } = part;
  const kind = isManifestType(mediaType) ? 'manifest' : 'blob';
  const actual = await sizeOf(repository, kind, digest);
  if (actual === size) return;
  if (actual === null) {
    if (!every || isElsewhere(part)) return;
    throw invalid('MANIFEST_BLOB_UNKNOWN', 'the repository lacks a part of the manifest', {
      detail: { digest },
    });
  }
  throw invalid('SIZE_INVALID', `the manifest states another size of ${digest} than it has`, {
    detail: { digest, size, actual },
  });
}

/** Such a layer may be absent (absent-layers.ts), and counts by the size that is stated. */
function isElsewhere({ mediaType, urls = [] }: Descriptor): boolean {
  return urls.length > 0 && isNonDistributable(mediaType);
}
