import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { algorithmOf, encodedOf } from '@portcullis/oci';
import type { TestBlob, TestImage } from './image.ts';

/** Writes an OCI image layout, without the product's own layout code. */
export async function writeLayout(dir: string, image: TestImage, tag = 'latest'): Promise<void> {
  for (const blob of everything(image)) await writeBlob(dir, blob);
  const annotations = { 'org.opencontainers.image.ref.name': tag };
  const index = {
    schemaVersion: 2,
    manifests: [
      { ...image.descriptor, annotations },
      ...image.children.map((child) => child.descriptor),
    ],
  };
  await writeFile(join(dir, 'index.json'), JSON.stringify(index));
  await writeFile(join(dir, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
}

/** All manifests and blobs of an image, with repetitions. */
export function everything(image: TestImage): TestBlob[] {
  return [...image.blobs, ...image.children.flatMap(everything), image];
}

async function writeBlob(dir: string, { descriptor, bytes }: TestBlob): Promise<void> {
  const path = join(dir, 'blobs', algorithmOf(descriptor.digest), encodedOf(descriptor.digest));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}
