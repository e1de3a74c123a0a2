/**
 * S3: runnable images that pose as signatures of another image must not be copied with it
 * unscanned.
 */
import type { StagingJob, TransferOrder } from '@portcullis/domain';
import type { SavedRegistry } from '@portcullis/store';
import {
  blobOf,
  buildArtifact,
  debianImage,
  fetchManifest,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  type TestImage,
  type TestRegistry,
  testTrivy,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fromSaved, orderOf, submitTransfer, tagged, toLocal, transferOver } from './batch.ts';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;
let source: TestRegistry;
let saved: SavedRegistry;

beforeAll(async () => {
  const trivy = await testTrivy();
  [harness, source] = await Promise.all([openHarness(), startRegistry()]);
  const { host } = source;
  saved = await harness.store.registries.insert({ name: host, host, useTls: false });
  await harness.startWorker({
    TRIVY_ENABLED: 'true',
    TRIVY_PATH: trivy,
    TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(harness.registry.url),
    EGRESS_ALLOW: '127.0.0.1',
  });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await source?.stop();
});

const OCI_CONFIG = 'application/vnd.oci.image.config.v1+json';
const CONFIG = {
  mediaType: OCI_CONFIG,
  bytes: Buffer.from('{"rootfs":{"type":"layers","diff_ids":[]}}'),
};

/** A vulnerable image whose `subject` is another, with the media types of an attestation. */
async function runnableFor({ descriptor }: TestImage): Promise<TestImage> {
  const flawed = await debianImage({ more: [{ 'only/here': crypto.randomUUID() }] });
  const document = JSON.parse(Buffer.from(flawed.bytes).toString());
  const { mediaType, digest, size } = descriptor;
  const layers = document.layers.map((layer: object) => ({
    ...layer,
    mediaType: 'application/vnd.in-toto+json',
  }));
  const bytes = Buffer.from(
    JSON.stringify({ ...document, layers, subject: { mediaType, digest, size } }),
  );
  const root = blobOf(flawed.descriptor.mediaType, bytes);
  return { ...flawed, ...root, digest: root.descriptor.digest };
}

interface Attached {
  image: TestImage;
  /** By tag, or listed as referrers. */
  runnable: Record<'sig' | 'att' | 'sbom' | 'referrer', TestImage>;
  signature: TestImage;
}

/**
 * A clean image with runnable ones under the tags of cosign and as a referrer, and with a real
 * signature as a referrer.
 */
async function pushAttached(repository: string): Promise<Attached> {
  const image = await debianImage({
    packages: [{ name: 'tzdata', version: '2024a-0' }],
    more: [{ 'only/here': repository }],
  });
  await pushImage(source.url, repository, '1', image);
  const tag = image.digest.replace(':', '-');
  const [sig, att, sbom, referrer] = await Promise.all([1, 2, 3, 4].map(() => runnableFor(image)));
  if (!sig || !att || !sbom || !referrer) throw new Error('four were built');
  for (const [suffix, each] of Object.entries({ sig, att, sbom }))
    await pushImage(source.url, repository, `${tag}.${suffix}`, each);
  const signature = buildArtifact({
    config: CONFIG,
    layers: [
      {
        mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
        bytes: Buffer.from('{"critical":{}}'),
      },
    ],
    subject: image.descriptor,
  });
  for (const each of [referrer, signature]) await pushImage(source.url, repository, null, each);
  // This registry has no referrers API: the list is stored under a tag.
  const list = blobOf(
    'application/vnd.oci.image.index.v1+json',
    Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: 'application/vnd.oci.image.index.v1+json',
        manifests: [referrer, signature].map(({ descriptor: { mediaType, digest, size } }) => ({
          mediaType,
          digest,
          size,
        })),
      }),
    ),
  );
  const digest = list.descriptor.digest;
  await pushImage(source.url, repository, tag, { ...list, digest, blobs: [], children: [] });
  return { image, runnable: { sig, att, sbom, referrer }, signature };
}

async function transferred(name: string, change: Partial<TransferOrder> = {}): Promise<StagingJob> {
  const ends = { from: fromSaved(saved), to: toLocal(harness.registry.host) };
  const id = await submitTransfer(harness, orderOf(ends, [tagged(name)], change));
  expect((await transferOver(harness, id)).counts).toEqual({ pushed: 1 });
  const { items } = await harness.store.jobs.list({ transferId: id });
  return harness.store.jobs.get(items[0]?.id ?? '');
}

const there = async (repository: string, reference: string) =>
  (await fetchManifest(harness.registry.url, repository, reference, harness.registry)).status;

async function expectLeft(name: string, { image, runnable, signature }: Attached, job: StagingJob) {
  expect(job.timeline.map(({ kind }) => kind)).toContain('referrers_left');
  expect(await there(name, image.digest)).toBe(200);
  expect(await there(name, signature.digest)).toBe(200);
  for (const [suffix, { digest }] of Object.entries(runnable)) {
    expect(await there(name, digest)).toBe(404);
    expect(await there(name, `${image.digest.replace(':', '-')}.${suffix}`)).toBe(404);
  }
}

it('they are not copied, which the job notes, and the real signature is copied (S3)', async () => {
  const attached = await pushAttached('attack/scanned');
  const job = await transferred('attack/scanned');
  expect(job.verdict).toBe('clean');
  await expectLeft('attack/scanned', attached, job);
});

it('they are not copied where the report of the image is known already (S3)', async () => {
  const attached = await pushAttached('attack/known');
  await transferred('attack/known', { withReferrers: false });
  const job = await transferred('attack/known');
  expect(job.timeline.map(({ kind }) => kind)).toContain('scan_reused');
  await expectLeft('attack/known', attached, job);
});

it('they are not copied where nothing is scanned (S3)', async () => {
  const attached = await pushAttached('attack/unscanned');
  const overrides = { vulnScanEnabled: false, vulnSeverities: null };
  const job = await transferred('attack/unscanned', { overrides });
  expect(job.verdict).toBe('skipped');
  await expectLeft('attack/unscanned', attached, job);
});
