/**
 * The private directory of one scan, on the disk of the layout: working directory, HOME and TMPDIR of the scanner,
 * and a layout of its own. So no `trivy.yaml` or plugin of anybody is picked up, scans can't collide, and whatever a
 * killed scanner leaves goes with the directory.
 */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { algorithmOf, type Digest, encodedOf } from '@portcullis/oci';
import { linkOrCopy } from '@portcullis/oci/layout';
import type { ScannableImage } from './select.ts';

export interface ScanDir extends AsyncDisposable {
  path: string;
  home: string;
  tmp: string;
}

/** Always the same relative path: the fingerprints of findings hash it. */
export const LAYOUT = 'image';

const ABANDONED_MS = 24 * 3600 * 1000;

export async function openScanDir(runs: string): Promise<ScanDir> {
  const path = join(runs, crypto.randomUUID());
  const dir = { path, home: join(path, 'home'), tmp: join(path, 'tmp') };
  await mkdir(dir.home, { recursive: true, mode: 0o700 });
  await mkdir(dir.tmp, { mode: 0o700 });
  return {
    ...dir,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** What processes that were killed left behind. */
export async function removeAbandonedScanDirs(runs: string): Promise<void> {
  for (const name of await readdir(runs).catch(() => [])) {
    const path = join(runs, name);
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

/**
 * The scanner reads only digests that stand in the top-level `index.json`, follows no symbolic link, and takes the
 * first child of an index whatever its platform (trivy.md § 2.1): so each image is listed, with hard-linked blobs.
 */
export async function writeScanLayout(
  scanDir: string,
  layoutDir: string,
  images: ScannableImage[],
): Promise<void> {
  const to = join(scanDir, LAYOUT);
  const blobs = images.flatMap(({ manifest, config, layers }) => [manifest, config, ...layers]);
  for (const digest of new Set(blobs.map((blob) => blob.digest))) await linkBlob(layoutDir, to, digest);
  const manifests = images.map(({ manifest }) => manifest);
  await mkdir(to, { recursive: true });
  await writeFile(join(to, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  await writeFile(join(to, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
}

async function linkBlob(from: string, to: string, digest: Digest): Promise<void> {
  const name = join('blobs', algorithmOf(digest), encodedOf(digest));
  const target = join(to, name);
  await mkdir(dirname(target), { recursive: true });
  // Nothing to link: a foreign layer that was never fetched; the scanner says what it lacks.
  await linkOrCopy(join(from, name), target);
}
