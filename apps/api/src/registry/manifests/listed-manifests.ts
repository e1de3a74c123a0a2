/**
 * Refuses an index whose manifests the repository does not have. The registry stores such an index,
 * because mirrors bring in platforms when they are asked for; a client that pushes one has lost
 * something.
 */
import { invalid } from '@portcullis/errors';
import {
  type Digest,
  forEachAtMost,
  type Index,
  isManifestType,
  type Manifest,
  successors,
} from '@portcullis/oci';
import type { LocalRegistryClient } from '../proxy/registry-client.ts';

const AT_ONCE = 8;

/** @throws invalid `MANIFEST_BLOB_UNKNOWN` */
export async function assertListedPresent(
  client: Pick<LocalRegistryClient, 'has' | 'hasBlob'>,
  repository: string,
  manifest: Manifest | Index,
): Promise<void> {
  if (manifest.kind !== 'index') return;
  await forEachAtMost(AT_ONCE, successors(manifest), async ({ digest, mediaType }) => {
    if (await isPresent(digest, isManifestType(mediaType))) return;
    throw invalid('MANIFEST_BLOB_UNKNOWN', 'the repository lacks a manifest of the index', {
      detail: { digest },
    });
  });

  /** A build cache is an index of layers, and the type may say either. */
  async function isPresent(digest: Digest, isManifest: boolean): Promise<boolean> {
    const [first, second] = isManifest
      ? ([client.has, client.hasBlob] as const)
      : ([client.hasBlob, client.has] as const);
    return (await first(repository, digest)) || (await second(repository, digest));
  }
}
