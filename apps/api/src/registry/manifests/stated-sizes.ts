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

/** @throws invalid `SIZE_INVALID` */
export async function assertStatedSizes(
  client: Pick<LocalRegistryClient, 'sizeOf'>,
  repository: string,
  document: Manifest | Index,
): Promise<void> {
  const parts =
    document.kind === 'index' ? document.manifests : [document.config, ...document.layers];
  const distinct = new Map(parts.map((part) => [`${part.digest} ${part.size}`, part]));
  if (distinct.size > MAX_PARTS) return;
  await forEachAtMost(AT_ONCE, distinct.values(), (part) => assertSize(client, repository, part));
}

async function assertSize(
  client: Pick<LocalRegistryClient, 'sizeOf'>,
  repository: string,
  { mediaType, digest, size }: Descriptor,
): Promise<void> {
  const kind = isManifestType(mediaType) ? 'manifest' : 'blob';
  const actual = await client.sizeOf(repository, kind, digest);
  if (actual === null || actual === size) return;
  throw invalid('SIZE_INVALID', `the manifest states another size of ${digest} than it has`, {
    detail: { digest, size, actual },
  });
}
