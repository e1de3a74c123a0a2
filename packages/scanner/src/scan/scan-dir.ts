/**
 * The private directory of one scan, on the file system of the layout: Trivy's working directory,
 * HOME and TMPDIR, and a layout for it. So no foreign `trivy.yaml` or plugin is used, scans cannot
 * collide, and the leftovers of a killed scan are removed with the directory.
 */
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  algorithmOf,
  type Descriptor,
  type Digest,
  encodedOf,
  OCI_CONFIG,
  OCI_MANIFEST,
} from '@portcullis/oci';
import { linkOrCopy } from '@portcullis/oci/layout';
import { ownDirectory } from '@portcullis/runtime';
import type { VerifiedImage, VerifiedLayer } from '../layers/verify-layers.ts';
import type { ScannableImage } from './select.ts';

export interface ScanDir extends AsyncDisposable {
  path: string;
  home: string;
  tmp: string;
}

/** Always the same relative path: the fingerprints of findings hash it. */
export const LAYOUT = 'image';

export async function openScanDir(runs: string): Promise<ScanDir> {
  const path = join(runs, crypto.randomUUID());
  const dir = { path, home: join(path, 'home'), tmp: join(path, 'tmp') };
  await mkdir(dir.home, { recursive: true, mode: 0o700 });
  await mkdir(join(path, LAYOUT, 'blobs', 'sha256'), { recursive: true });
  await mkdir(dir.tmp, { mode: 0o700 });
  const owned = await ownDirectory(path);
  return {
    ...dir,
    async [Symbol.asyncDispose]() {
      owned[Symbol.dispose]();
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/**
 * Writes the layout that Trivy reads: a configuration and a manifest generated from the verified
 * layers, and the layers as hard links, named by SHA-256. No byte of the image's own documents
 * reaches Trivy, so they cannot describe other layers to it than to us. Trivy also looks an image
 * up in `index.json` by its annotation: that contains the digest of the image's own manifest, so
 * reports name that one.
 */
export async function writeScanLayout(
  scanDir: string,
  layoutDir: string,
  { digest }: Pick<ScannableImage, 'digest'>,
  image: VerifiedImage,
): Promise<void> {
  const to = join(scanDir, LAYOUT);
  for (const layer of image.layers) await linkLayer(layoutDir, to, layer);
  const { architecture, os, variant, layers } = image;
  const rootfs = { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) };
  const platform = { architecture, os, ...(variant && { variant }) };
  const config = await writeDocument(to, OCI_CONFIG, { ...platform, rootfs });
  const descriptors = layers.map(({ sha256, size }) => ({
    mediaType: OCI_LAYER,
    digest: sha256,
    size,
  }));
  const document = { schemaVersion: 2, mediaType: OCI_MANIFEST, config, layers: descriptors };
  const manifest = await writeDocument(to, OCI_MANIFEST, document);
  const entry = { ...manifest, annotations: { [REF_NAME]: digest } };
  await writeFile(join(to, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  const index = JSON.stringify({ schemaVersion: 2, manifests: [entry] });
  await writeFile(join(to, 'index.json'), index);
}

const REF_NAME = 'org.opencontainers.image.ref.name';
/** Whatever its compression: Trivy detects it by the first bytes. */
const OCI_LAYER = 'application/vnd.oci.image.layer.v1.tar';

async function writeDocument(
  to: string,
  mediaType: string,
  document: unknown,
): Promise<Descriptor> {
  const bytes = Buffer.from(JSON.stringify(document));
  const digest: Digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  await writeFile(blobPath(to, digest), bytes);
  return { mediaType, digest, size: bytes.length };
}

async function linkLayer(from: string, to: string, { name, sha256 }: VerifiedLayer): Promise<void> {
  // A layer whose download was skipped has no file: Trivy needs it only where it has not cached its
  // analysis.
  await linkOrCopy(blobPath(from, name), blobPath(to, sha256));
}

function blobPath(layout: string, digest: Digest): string {
  return join(layout, 'blobs', algorithmOf(digest), encodedOf(digest));
}
