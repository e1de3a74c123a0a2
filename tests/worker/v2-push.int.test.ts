/** An image from its push over `/v2` to the decision of the pull gate, through a real scan. */
import { debianImage, json, pushImage, serveVulnerabilityDb, skopeo } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import { type Harness, openHarness, provideTrivy } from './harness.ts';

const ACCEPT = 'application/vnd.oci.image.manifest.v1+json';

let harness: Harness;
let api: TestApi;

beforeAll(async () => {
  harness = await openHarness();
  await provideTrivy(harness);
  const { env, registry, dataDir } = harness;
  const nothing = async () => {};
  api = await startApi(
    { PULL_GATE_WAIT_SECONDS: '0', TRIVY_ENABLED: 'true' },
    { surroundings: { env, registry, dataDir, stopRedis: nothing, stop: nothing } },
  );
  const id = await api.account('ann');
  const { folderId } = await api.grant(id, 'team', { canPull: true, canPush: true });
  await api.store.folders.update(folderId, { pullGate: 'enforce' });
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

async function pull(repository: string): Promise<number> {
  const authorization = `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`;
  const url = `${api.url}/v2/${repository}/manifests/1`;
  return (await fetch(url, { headers: { accept: ACCEPT, authorization } })).status;
}

it.each([
  [
    'a clean image',
    { name: 'tzdata', version: '2024a-0' },
    200,
    { outcome: 'served', verdict: 'clean' },
  ],
  ['a vulnerable image', { name: 'openssl', version: '3.0.11-1' }, 403, { code: 'VULN_BLOCKED' }],
])('%s is scanned after its push and then decided', async (_, pack, status, standing) => {
  const repository = `team/${pack.name}`;
  await pushImage(
    harness.registry.url,
    `source/${pack.name}`,
    '1',
    await debianImage({ packages: [pack] }),
  );
  const from = [
    '--src-tls-verify=false',
    `docker://${harness.registry.host}/source/${pack.name}:1`,
  ];
  const to = ['--dest-tls-verify=false', '--dest-creds', 'ann:pass-of-ann'];
  await skopeo('copy', ...to, ...from, `docker://${api.host}/${repository}:1`);
  const ann = await api.as('ann');
  const path = `/api/images/__local__/standing?repository=${repository}&reference=1`;
  const shown = async () => json(ann.get(path));
  await expect.poll(shown).toMatchObject({ ...standing, report: { scanner: 'trivy' } });
  await expect.poll(() => pull(repository)).toBe(status);
  const { items } = await api.store.scans.list({ registryId: '__local__', repository });
  expect(items).toEqual([]);
});
