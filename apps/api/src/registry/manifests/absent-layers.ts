/**
 * Decides which blobs of a manifest may be missing: non-distributable layers with `urls` (image
 * spec § Non-Distributable Layers). The registry skips every blob whose descriptor has `urls`,
 * whatever its type; a layer that clients treat as ordinary must exist.
 */
import { invalid } from '@portcullis/errors';
import {
  type Descriptor,
  forEachAtMost,
  type Index,
  isNonDistributable,
  type Manifest,
} from '@portcullis/oci';
import type { LocalRegistryClient } from '../proxy/registry-client.ts';

const AT_ONCE = 8;

/** @throws invalid `MANIFEST_INVALID`, `MANIFEST_BLOB_UNKNOWN` */
export async function assertBlobsPresent(
  client: Pick<LocalRegistryClient, 'hasBlob'>,
  repository: string,
  manifest: Manifest | Index,
): Promise<void> {
  if (manifest.kind === 'index') return; // Its manifests are looked for under the write lock.
  const elsewhere = [manifest.config, ...manifest.layers].filter(
    ({ urls }) => urls && urls.length > 0,
  );
  for (const descriptor of elsewhere) assertUrls(descriptor);
  const needed = elsewhere.filter(({ mediaType }) => !isNonDistributable(mediaType));
  await forEachAtMost(AT_ONCE, needed, async ({ digest }) => {
    if (await client.hasBlob(repository, digest)) return;
    throw invalid(
      'MANIFEST_BLOB_UNKNOWN',
      'the repository lacks a blob of the manifest, which is not of a non-distributable type',
      {
        detail: { digest },
      },
    );
  });
}

function assertUrls({ digest, urls = [] }: Descriptor): void {
  const bad = urls.find((text) => !isWebUrl(text));
  if (bad === undefined) return;
  throw invalid(
    'MANIFEST_INVALID',
    'the `urls` of a layer are not http or https addresses without a fragment',
    {
      detail: { digest },
    },
  );
}

function isWebUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !text.includes('#');
}
