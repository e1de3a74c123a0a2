/**
 * Checks a new vulnerability database by scanning a tiny image whose flaws every honest database
 * knows: openssl 3.0.11-1 of Debian 12 and lodash 4.17.10 of npm. A database that finds nothing in
 * it is empty or damaged.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { type Descriptor, OCI_CONFIG, OCI_MANIFEST } from '@portcullis/oci';
import { tarOf } from '../layers/tar.ts';
import { readRawReport } from '../reports/report.ts';
import { type Invocation, runScan } from '../scan/cli.ts';
import { classify, scanError } from '../scan/failure.ts';
import { LAYOUT } from '../scan/scan-dir.ts';

const TIMEOUT_SECONDS = 120;

const DPKG = `Package: openssl
Status: install ok installed
Maintainer: Debian OpenSSL Team
Architecture: amd64
Version: 3.0.11-1
Description: canary
`;

const FILES = {
  'etc/debian_version': '12.5\n',
  'var/lib/dpkg/status': DPKG,
  'app/node_modules/lodash/package.json': '{"name":"lodash","version":"4.17.10"}',
};

/** @throws unavailable `DATABASE_REJECTED`, or the scan's own error */
export async function scanCanary(invocation: Invocation): Promise<void> {
  const digest = await writeCanary(join(invocation.dir.path, LAYOUT));
  const mode = { cacheBackend: 'memory', javaIndex: 'real', parallel: 1 } as const;
  const ask = { digest, output: 'canary.json', timeoutSeconds: TIMEOUT_SECONDS };
  const result = await runScan(invocation, mode, ask);
  if (result.code !== 0) throw scanError(classify(result), result, TIMEOUT_SECONDS);
  const report = await readRawReport(await readFile(join(invocation.dir.path, ask.output)));
  const found = (report.Results ?? []).flatMap((each) => each.Vulnerabilities ?? []);
  if (found.length > 0) return;
  throw unavailable(
    'DATABASE_REJECTED',
    'the new vulnerability database finds nothing where there is something',
  );
}

async function writeCanary(dir: string): Promise<string> {
  const layer = await writeBlob(dir, 'application/vnd.oci.image.layer.v1.tar', tarOf(FILES));
  const rootfs = { type: 'layers', diff_ids: [layer.digest] };
  const config = await writeBlob(
    dir,
    OCI_CONFIG,
    json({ architecture: 'amd64', os: 'linux', rootfs }),
  );
  const document = { schemaVersion: 2, mediaType: OCI_MANIFEST, config, layers: [layer] };
  const manifest = await writeBlob(dir, OCI_MANIFEST, json(document));
  await writeFile(join(dir, 'index.json'), json({ schemaVersion: 2, manifests: [manifest] }));
  return manifest.digest;
}

async function writeBlob(dir: string, mediaType: string, bytes: Buffer): Promise<Descriptor> {
  const hex = createHash('sha256').update(bytes).digest('hex');
  await mkdir(join(dir, 'blobs/sha256'), { recursive: true });
  await writeFile(join(dir, 'blobs/sha256', hex), bytes);
  return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
