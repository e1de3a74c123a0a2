/** Scans of what was pushed to the built-in registry without a scan. */

import { firstScanOf } from '@portcullis/queue';
import {
  blobOf,
  buildArtifact,
  buildIndex,
  debianImage,
  pushImage,
  serveVulnerabilityDb,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness, provideTrivy } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
  await provideTrivy(harness);
  await harness.startWorker({
    TRIVY_ENABLED: 'true',
    TRIVY_RESCAN_ENABLED: 'false',
    SWEEP_SECONDS: '1',
    TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(harness.registry.url),
  });
});
afterAll(() => harness?.[Symbol.asyncDispose]());

async function push(image: TestImage): Promise<void> {
  await pushImage(harness.registry.url, 'team/app', '1', image);
  const described = (each: TestImage) => ({
    digest: each.digest,
    mediaType: each.descriptor.mediaType,
    artifactType: null,
    subject: null,
    size: 1,
    platforms: [],
    contents: each.children.map(({ digest }) => ({ digest, size: 1, isManifest: true })),
  });
  await harness.store.images.record({
    repository: 'team/app',
    tag: '1',
    digest: image.digest,
    manifests: [...image.children, image].map(described),
    at: new Date(),
  });
}

const factsOf = async (digest: string) => (await harness.store.reports.facts([digest])).get(digest);

it('scans what was pushed, with a report for each platform', async () => {
  const flawed = await debianImage({
    packages: [{ name: 'openssl', version: '3.0.11-1' }],
    platform: 'linux/amd64',
  });
  const clean = await debianImage({
    packages: [{ name: 'tzdata', version: '2024a-0' }],
    platform: 'linux/arm64',
  });
  const index = buildIndex([flawed, clean]);
  await push(index);
  await harness.queues.wake(firstScanOf(index.digest));
  await expect.poll(() => factsOf(index.digest)).toMatchObject({ report: {} });
  await expect
    .poll(() => factsOf(flawed.digest))
    .toMatchObject({ report: { facts: { findings: [{}] } } });
  await expect
    .poll(() => factsOf(clean.digest))
    .toMatchObject({ report: { facts: { coverage: 'full', findings: [] } } });
});

it('scans it without an entry of the queue too, and marks what cannot be scanned', async () => {
  const layer = 'application/vnd.oci.image.layer.v1.tar+gzip';
  const broken = buildArtifact({
    config: {
      mediaType: 'application/vnd.oci.image.config.v1+json',
      bytes: Buffer.from(`{"rootfs":{"type":"layers","diff_ids":["sha256:${'0'.repeat(64)}"]}}`),
    },
    layers: [{ mediaType: layer, bytes: blobOf(layer, Buffer.from('no archive')).bytes }],
  });
  await push(broken);
  const failed = { report: null, failedScanIn: 'all' };
  await expect.poll(() => factsOf(broken.digest)).toMatchObject(failed);
});
