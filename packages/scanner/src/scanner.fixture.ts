/** A scanner with the real Trivy, a database of advisories, and a Redis for its analyses. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createLogger } from '@portcullis/runtime';
import {
  buildArtifact,
  serveVulnerabilityDb,
  sha256,
  startRedis,
  startRegistry,
  type TestImage,
  temporaryDir,
  testTrivy,
  writeLayout,
} from '@portcullis/testing';
import { createScanner } from './index.ts';

export type ScannerKit = Awaited<ReturnType<typeof startScanner>>;

export async function startScanner() {
  const log = createLogger({ name: 'scanner-test', level: 'silent' });
  const trivy = await testTrivy();
  const [registry, redis, data] = await Promise.all([
    startRegistry(),
    startRedis(),
    temporaryDir(),
  ]);
  const options = { dataDir: data.path, redisUrl: redis.url, log, trivyPath: () => trivy };
  const scanner = createScanner(options);
  await scanner.updateDatabase({ repositories: [await serveVulnerabilityDb(registry.url)] });

  async function scan(image: TestImage) {
    const layoutDir = join(data.path, 'cache', 'staging', crypto.randomUUID());
    await writeLayout(layoutDir, image);
    const targets = [{ digest: image.digest, platform: null }];
    return (await scanner.scan(layoutDir, { targets, timeoutSeconds: 60 })).report;
  }

  async function stop(): Promise<void> {
    await Promise.all([registry.stop(), redis.stop(), data.remove()]);
  }

  return { registry, redis, data, scanner, scan, stop };
}

/** An image whose layers are these tar archives. */
export function imageOfArchives(archives: readonly Uint8Array[]): TestImage {
  const rootfs = { type: 'layers', diff_ids: archives.map(sha256) };
  const config = JSON.stringify({ architecture: 'amd64', os: 'linux', rootfs });
  return buildArtifact({
    config: {
      mediaType: 'application/vnd.oci.image.config.v1+json',
      bytes: Buffer.from(config),
    },
    layers: archives.map((bytes) => ({
      mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
      bytes: gzipSync(bytes),
    })),
  });
}
