/** What signatures.int and signatures.night start, and how they look at it. */
import { DEFAULT_POLICY, defaultPolicy } from '@portcullis/domain';
import {
  buildArtifact,
  openSql,
  pushImage,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll } from 'vitest';
import { startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import {
  type SampleKey,
  sampleKey,
  simpleSigning,
  simpleSigningLayer,
} from '../../packages/attest/src/signing.fixture.ts';
import { type Harness, openHarness } from './harness.ts';
import { type FaultyRegistry, startProxy } from './proxy.ts';

export const KEY = sampleKey();

export let harness: Harness;

export let api: TestApi;

export let source: TestRegistry;

export let proxy: FaultyRegistry;

export let sql: Awaited<ReturnType<typeof openSql>>;

export async function trust(name: string, key: SampleKey): Promise<void> {
  const { authorities } = harness.store;
  const saved = { name, document: { kind: 'key', keys: key.pem }, savedBy: 'root' };
  const before = await authorities.find(name);
  if (before) await authorities.replace({ ...saved, version: before.version });
  else await authorities.insertAuthority(saved);
}

/** The policy of the folder names these authorities. */
async function askIn(folder: string, authorities: string[]): Promise<void> {
  const { id: _, name: __, version: ___, ...terms } = defaultPolicy(DEFAULT_POLICY);
  const asked = { images: '**', match: 'any_of' as const, authorities, attestation: null };
  const rules = { ...terms, signatures: [asked] };
  const { policies } = harness.store;
  const { id } = await policies.insertPolicy({ name: folder, rules, savedBy: 'root' });
  await sql.query('UPDATE folders SET policy_id = $1 WHERE name = $2', [id, folder]);
}

export const pushAtSource = async (repository: string, tag: string, image: TestImage) => {
  await pushImage(source.url, repository, tag, image);
  return image;
};

export const signatureTag = ({ digest }: TestImage, suffix = 'sig') =>
  `${digest.replace(':', '-')}.${suffix}`;

export function signature({ digest }: TestImage, key = KEY): TestImage {
  return buildArtifact({ layers: [simpleSigningLayer(key, simpleSigning(digest))] });
}

export async function known({ digest }: TestImage) {
  return (await harness.store.signatureFacts.ofDigests([digest])).get(digest);
}

/** For each signature: whether it counts, or why it does not. */
export async function answers(image: TestImage): Promise<string[] | undefined> {
  const found = await known(image);
  return found?.facts.map(({ verified, reason }) =>
    verified ? 'counts' : (reason?.code ?? 'neither'),
  );
}

export function startSigned(): void {
  beforeAll(async () => {
    harness = await openHarness();
    source = await startRegistry();
    proxy = await startProxy(source.url);
    sql = await openSql(harness.databaseUrl);
    const { env, registry, dataDir } = harness;
    const nothing = async () => {};
    api = await startApi(
      {},
      { surroundings: { env, registry, dataDir, stopRedis: nothing, stop: nothing } },
    );
    await api.account('boss', { isAdmin: true });
    const ann = await api.account('ann');
    for (const folder of ['asks', 'silent'])
      await api.grant(ann, folder, { canPull: true, canPush: true });
    await trust('release', KEY);
    await askIn('asks', ['release']);
    await harness.startWorker({ STAGE_TRIES: '2' });
  });
  afterAll(async () => {
    await sql?.end();
    await api?.stop();
    await proxy?.[Symbol.asyncDispose]();
    await source?.[Symbol.asyncDispose]();
    await harness?.[Symbol.asyncDispose]();
  });
}
