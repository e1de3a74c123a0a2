/**
 * The api for `npm run bench gate`, in a separate process: the same images in a folder with
 * `pull_gate` `off` and in one with `enforce`. Prints one line of JSON once it listens.
 */
import type { ScanReport } from '@portcullis/domain';
import { buildIndex, pushImage, randomImage, type TestImage } from '@portcullis/testing';
import { startApi } from '../../apps/api/src/api.fixture.ts';

const FINDINGS = 300;
const PLATFORMS = 10;

const api = await startApi({ RATE_LIMIT_ENABLED: 'false' });
const id = await api.account('bench');
for (const pullGate of ['off', 'enforce'] as const) {
  const { folderId } = await api.grant(id, pullGate, { canPull: true });
  await api.store.folders.update(folderId, { pullGate });
}

/** Findings that the default policy does not block. */
function report(): ScanReport {
  const vulnerabilities = Array.from({ length: FINDINGS }, (_, at) => ({
    ...{ id: `CVE-2026-${1000 + at}`, severity: 'MEDIUM' as const, title: null, cvssScore: null },
    ...{ cvssVector: null, cvssSource: null, primaryUrl: null, publishedAt: null },
    packages: [
      {
        ...{
          name: `package-${at}`,
          installedVersion: '1.0',
          fixedVersion: null,
          status: 'affected',
        },
        ...{ target: 'debian', path: null, purl: null, layerDigest: null, platform: null },
      },
    ],
  }));
  const scanner = { name: 'trivy', version: '0.74.0', dbUpdatedAt: new Date().toISOString() };
  return { coverage: 'full', notes: [], os: null, targets: [], vulnerabilities, scanner };
}

async function provide(name: string, image: TestImage): Promise<void> {
  for (const folder of ['off', 'enforce'])
    await pushImage(api.registry.url, `${folder}/${name}`, '1', image);
  for (const { digest } of image.children.length > 0 ? image.children : [image])
    await api.store.reports.record({ digest, report: report(), scannedAt: new Date() });
}

const makeImage = () => randomImage({ layers: 3, bytes: 1_000, compression: 'gzip' });
await provide('image', await makeImage());
await provide('index', buildIndex(await Promise.all(Array.from({ length: PLATFORMS }, makeImage))));

process.stdout.write(
  `${JSON.stringify({ url: api.url, findings: FINDINGS, platforms: PLATFORMS })}\n`,
);
process.stdin.resume().once('end', () => void api.stop().then(() => process.exit(0)));
