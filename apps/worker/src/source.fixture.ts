/** A source with an image, and a worker's disk that has its manifests. */
import path from 'node:path';
import { copy, type Target } from '@portcullis/oci';
import { type Layout, openLayout } from '@portcullis/oci/layout';
import { type TestImage, temporaryDir, writeLayout } from '@portcullis/testing';
import { onTestFinished } from 'vitest';
import { type Disk, openDisk } from './storage/disk.ts';

export const JOB_ID = '00000000-0000-4000-8000-000000000000';

/** For one test. The manifests are written to `place`; default: the job's directory. */
export async function atSource(
  image: TestImage,
  place?: Target,
): Promise<{ disk: Disk; source: Layout; manifests: Layout }> {
  const dir = await temporaryDir();
  onTestFinished(() => dir.remove());
  const disk = await openDisk(dir.path);
  const at = path.join(dir.path, 'source');
  await writeLayout(at, image);
  const source = openLayout(at, disk.cache);
  const manifests = await disk.manifests(JOB_ID);
  await copy(source, image.digest, place ?? manifests, { manifestsOnly: true });
  return { disk, source, manifests };
}
