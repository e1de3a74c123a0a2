/** A scanner with the real Trivy, a database of advisories, and a Redis for its analyses. */
import { type ChildProcess, spawn } from 'node:child_process';
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

const SCANNING = join(import.meta.dirname, 'scan/scanning-process.fixture.ts');

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

  async function layoutOf(image: TestImage): Promise<string> {
    const layoutDir = join(data.path, 'cache', 'staging', crypto.randomUUID());
    await writeLayout(layoutDir, image);
    return layoutDir;
  }

  async function scan(image: TestImage) {
    const layoutDir = await layoutOf(image);
    const targets = [{ digest: image.digest, platform: null }];
    return (await scanner.scan(layoutDir, { targets, timeoutSeconds: 60 })).report;
  }

  /** Scans in a separate process. `prefix` is a command that runs the command after it. */
  function startProcess(
    { layoutDir, digest }: { layoutDir: string; digest: string },
    { program = trivy, prefix = [] }: { program?: string; prefix?: readonly string[] } = {},
  ): ChildProcess {
    const args = [SCANNING, data.path, redis.url, program, layoutDir, digest];
    const [command = '', ...rest] = [...prefix, process.execPath, ...args];
    return spawn(command, rest, { stdio: 'inherit' });
  }

  async function stop(): Promise<void> {
    await scanner.close();
    await Promise.all([registry.stop(), redis.stop(), data.remove()]);
  }

  return { registry, redis, data, scanner, layoutOf, scan, startProcess, stop };
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
