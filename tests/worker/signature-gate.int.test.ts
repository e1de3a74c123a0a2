/**
 * The pull gate of a folder that asks for signatures, from the push over `/v2` of an image and of
 * its signature to the decision: with a real worker, scanner and registry.
 */
import { randomUUID } from 'node:crypto';
import {
  buildArtifact,
  buildIndex,
  debianImage,
  json,
  pushImage,
  serveVulnerabilityDb,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import {
  type SampleKey,
  sampleKey,
  simpleSigning,
  simpleSigningLayer,
} from '../../packages/attest/src/signing.fixture.ts';
import { type Harness, openHarness, provideTrivy } from './harness.ts';

const KEY = sampleKey();
const NEXT_KEY = sampleKey();

let harness: Harness;
let api: TestApi;
let root: Client;

beforeAll(async () => {
  harness = await openHarness();
  await provideTrivy(harness);
  const { env, registry, dataDir } = harness;
  const nothing = async () => {};
  api = await startApi(
    { PULL_GATE_WAIT_SECONDS: '0', TRIVY_ENABLED: 'true' },
    { surroundings: { env, registry, dataDir, stopRedis: nothing, stop: nothing } },
  );
  await api.account('boss', { isAdmin: true });
  root = await api.as('boss');
  const { folderId } = await api.grant(await api.account('ann'), 'signed', {
    ...{ canPull: true, canPush: true },
  });
  await root.post('/api/authorities', { name: 'release', kind: 'key', keys: KEY.pem });
  const signatures = [{ images: '**', any_of: ['release'] }];
  const terms = { name: 'signed', rules: [], grace_days: 0, signatures };
  const policy = await json(root.post('/api/policies', terms));
  await api.store.folders.update(folderId, { pullGate: 'enforce', policyId: policy.id });
  await harness.startWorker({
    TRIVY_ENABLED: 'true',
    TRIVY_RESCAN_ENABLED: 'false',
    TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(registry.url),
  });
});

afterAll(async () => {
  await api?.stop();
  await harness?.[Symbol.asyncDispose]();
});

const CREDENTIALS = { username: 'ann', password: 'pass-of-ann' };
const ACCEPT = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
].join(', ');

async function push(repository: string, tag: string, image: TestImage): Promise<TestImage> {
  await pushImage(api.url, repository, tag, image, { credentials: CREDENTIALS });
  return image;
}

async function sign(repository: string, { digest }: TestImage, key: SampleKey = KEY) {
  const layers = [simpleSigningLayer(key, simpleSigning(digest))];
  await push(repository, signatureTag(digest), buildArtifact({ layers }));
}

const signatureTag = (digest: string) => `${digest.replace(':', '-')}.sig`;

/** The status, and the codes of the gate. */
async function pull(repository: string, reference: string): Promise<string> {
  const authorization = `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`;
  const url = `${api.url}/v2/${repository}/manifests/${reference}`;
  const answer = await fetch(url, { headers: { accept: ACCEPT, authorization } });
  const text = await answer.text();
  const [code = ''] = /SIGNATURE[A-Z_]*/.exec(text) ?? [];
  return answer.status === 200 ? '200' : `${answer.status} ${code}`.trim();
}

/** Of its own digest each time. */
async function image(platform = 'linux/amd64'): Promise<TestImage> {
  const packages = [{ name: 'tzdata', version: '2024a-0' }];
  return debianImage({ packages, platform, annotations: { name: randomUUID() } });
}

it('refuses an image until its signature arrives, and serves it from then on', async () => {
  const { digest } = await push('signed/app', '1', await image());
  await expect.poll(() => pull('signed/app', '1')).toBe('403 SIGNATURE_MISSING');
  await sign('signed/app', { digest } as TestImage);
  await expect.poll(() => pull('signed/app', '1')).toBe('200');
  // The signature itself is no image: a verifier has to read it.
  expect(await pull('signed/app', signatureTag(digest))).toBe('200');
});

it('serves the platforms of an index that is signed, also by their digest', async () => {
  const children = [await image(), await image('linux/arm64')];
  const index = await push('signed/index', '1', buildIndex(children));
  await sign('signed/index', index);
  for (const { digest } of [index, ...children])
    await expect.poll(() => pull('signed/index', digest)).toBe('200');
});

it('verifies again for another key', async () => {
  const kept = await push('signed/keys', 'kept', await image());
  await sign('signed/keys', kept);
  await expect.poll(() => pull('signed/keys', 'kept')).toBe('200');
  const change = { kind: 'key', keys: NEXT_KEY.pem };
  const { version } = await json(root.get('/api/authorities/release'));
  await json(root.put('/api/authorities/release', { version, ...change }));
  await expect.poll(() => pull('signed/keys', 'kept')).toBe('403 SIGNATURE_MISSING');
  const both = { kind: 'key', keys: `${KEY.pem}${NEXT_KEY.pem}` };
  await json(root.put('/api/authorities/release', { version: version + 1, ...both }));
  await expect.poll(() => pull('signed/keys', 'kept')).toBe('200');
});
