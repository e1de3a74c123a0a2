/** Makes the software bill of materials of an image with Trivy, in CycloneDX JSON. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@portcullis/embedded';
import type { Digest } from '@portcullis/oci';
import { withTemporaryDir } from './temporary.ts';

export const CYCLONEDX = 'application/vnd.cyclonedx+json';

/**
 * @param image `registry/repository`; for an index, `digest` must name the manifest of one platform
 */
export function sbomOf(trivy: string, image: string, digest: Digest): Promise<Uint8Array> {
  return withTemporaryDir(async (dir) => {
    const output = path.join(dir, 'sbom.json');
    const how = [
      '--image-src',
      'remote',
      '--format',
      'cyclonedx',
      '--quiet',
      '--disable-telemetry',
    ];
    const args = ['image', ...how, '--cache-dir', dir, '--output', output, `${image}@${digest}`];
    await run(trivy, args, { env: process.env });
    return new Uint8Array(await readFile(output));
  });
}
