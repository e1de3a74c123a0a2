/** What statements.int and statements.night start, and how they look at it. */
import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { collectSignatures, openAuthority, verifySignatures } from '@portcullis/attest';
import { PREDICATE_TYPES, type StatementKind } from '@portcullis/domain';
import { unlessMissing } from '@portcullis/errors';
import { parseDigest } from '@portcullis/oci';
import { createTransport, openRepository } from '@portcullis/oci/remote';
import {
  buildArtifact,
  json,
  openSql,
  pushImage,
  randomImage,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import { cleanReport } from '../../apps/api/src/registry/gate/report.fixture.ts';
import { type Harness, openHarness } from './harness.ts';

const CREDENTIALS = { username: 'ann', password: 'pass-of-ann' };

export const AUTHORIZATION = `Basic ${btoa('ann:pass-of-ann')}`;

export const PUBLIC_URL = 'https://images.example.com';

export let harness: Harness;

export let api: TestApi;

export let sql: Awaited<ReturnType<typeof openSql>>;

export let number = 0;

/** A tagged image in a folder, which a scan judged. */
export async function judged(folder = 'stated', report = cleanReport()) {
  number += 1;
  const repository = `${folder}/app-${number}`;
  const image = await randomImage({ bytes: 100 });
  await pushImage(api.url, repository, '1', image, { credentials: CREDENTIALS });
  await scanned(image, report);
  return { ...image, repository };
}

export type Judged = Awaited<ReturnType<typeof judged>>;

export const scanned = ({ digest }: Pick<TestImage, 'digest'>, report = cleanReport()) =>
  harness.store.reports.record({ digest, report, scannedAt: new Date() });

export function repositoryOf(repository: string) {
  return openRepository({
    ...{ host: new URL(api.url).host, repository, transport: createTransport() },
    credentials: CREDENTIALS,
  });
}

interface Listed {
  digest: string;
  artifactType: string;
  annotations?: Record<string, string>;
}

/** As the list of referrers over `/v2` has them. */
export async function listed(
  { repository, digest }: Judged,
  kind: StatementKind,
): Promise<Listed[]> {
  const { manifests }: { manifests: Listed[] } = await json(
    fetch(`${api.url}/v2/${repository}/referrers/${digest}`, {
      headers: { authorization: AUTHORIZATION },
    }),
  );
  return manifests.filter(
    ({ annotations }) =>
      annotations?.['dev.sigstore.bundle.predicateType'] === PREDICATE_TYPES[kind],
  );
}

/** What the one statement of the kind says; null where there is none. */
export async function said(image: Judged, kind: StatementKind = 'verdict') {
  const [one, ...more] = await listed(image, kind);
  expect(more).toEqual([]);
  if (!one) return null;
  const repository = repositoryOf(image.repository);
  const { bytes } = await repository.manifest(one.digest);
  const { layers } = JSON.parse(Buffer.from(bytes).toString());
  const chunks: Uint8Array[] = [];
  for await (const chunk of await repository.fetch(layers[0])) chunks.push(chunk);
  const { dsseEnvelope } = JSON.parse(Buffer.concat(chunks).toString());
  return {
    manifest: one.digest,
    ...JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString()),
  };
}

export const result = async (image: Judged) =>
  (await said(image))?.predicate.verificationResult ?? null;

/** As a reader who has the public key alone. */
export async function verified(image: Judged): Promise<(string | null)[]> {
  const pem = await (await fetch(`${api.url}/.well-known/portcullis/key.pem`)).text();
  const { authority } = openAuthority({ name: 'us', kind: 'key', keys: pem });
  if (!authority) throw new Error('the published key is no authority');
  const { signatures } = await collectSignatures(
    repositoryOf(image.repository),
    parseDigest(image.digest),
    { signal: new AbortController().signal },
  );
  const facts = [];
  for await (const fact of verifySignatures({
    signatures,
    authorities: [authority],
    now: new Date(),
  }))
    facts.push(fact);
  return facts.filter((fact) => fact.verified).map(({ predicateType }) => predicateType);
}

export const row = async ({ repository, digest }: Judged, kind: StatementKind = 'verdict') =>
  (
    await sql.query(
      `SELECT manifest, leftover, error, attempts, left_out FROM image_statements
        WHERE repository = $1 AND digest = $2 AND kind = $3`,
      [repository, digest, kind],
    )
  ).rows[0];

/** Once it has looked for what is due twice, the worker has left alone what it will leave alone. */
export async function looked(): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    const other = await judged();
    await expect.poll(() => result(other)).toBe('PASSED');
  }
}

interface Layer {
  annotations?: Record<string, string>;
}

const OURS = 'io.portcullis.statement';

export const tagOf = (digest: string) => `${digest.replace(':', '-')}.att`;

/** The results of our layers, and how many layers others have there; null without the tag. */
export async function underTag({
  repository: name,
  digest,
}: Pick<Judged, 'repository' | 'digest'>) {
  const repository = repositoryOf(name);
  const found = await unlessMissing(repository.manifest(tagOf(digest)));
  if (!found) return null;
  const { layers } = JSON.parse(Buffer.from(found.bytes).toString());
  const results: string[] = [];
  for (const layer of layers.filter((each: Layer) => OURS in (each.annotations ?? {}))) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await repository.fetch(layer)) chunks.push(chunk);
    const { payload } = JSON.parse(Buffer.concat(chunks).toString());
    const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString());
    results.push(predicate.verificationResult);
  }
  return { results, others: layers.length - results.length };
}

export async function attestedByOthers({ repository, digest }: Judged): Promise<void> {
  const theirs = await buildArtifact({
    layers: [{ mediaType: 'application/vnd.dsse.envelope.v1+json', bytes: Buffer.from('{}') }],
  });
  await pushImage(api.url, repository, tagOf(digest), theirs, { credentials: CREDENTIALS });
}

/** As a scan with Trivy stores it; a night test compares such lists with Trivy's own reports. */
export async function analysed({ digest }: Judged, packages: string[]): Promise<void> {
  const content = JSON.stringify({
    PackageInfos: [
      {
        FilePath: 'var/lib/dpkg/status',
        Packages: packages.map((name) => ({ Name: name, Version: '8' })),
      },
    ],
  });
  const [artifact, layer] = ['artifact', 'blob'].map(
    (kind) =>
      `fanal::${kind}::sha256:${createHash('sha256').update(`${kind}${digest}`).digest('hex')}`,
  );
  if (!artifact || !layer) throw new Error('two keys were made');
  const part = {
    ...{ digest, platform: null, artifact, hasOs: true, isIndexed: false, unverified: [] },
    layers: [{ key: layer, diffId: 'sha256:d', name: 'sha256:l' }],
    ...{ baseLayers: [], unjudged: [], log: { alpineRepository: null, offEolList: false } },
    ...{ archives: null, os: { family: 'debian', name: '12.5', eosl: false, extended: false } },
  };
  await harness.store.analyses.save(
    {
      ...{ digest, profile: '0.74.0-test', image: { parts: [part], unseen: [] } },
      ...{ keys: [artifact, layer], packages: null },
    },
    [
      { key: artifact, diffId: null, content: zstdCompressSync('{}') },
      { key: layer, diffId: 'sha256:d', content: zstdCompressSync(content) },
    ],
  );
}

/** Pushes a manifest as a client does. */
export const put = (repository: string, reference: string, body: Uint8Array) =>
  fetch(`${api.url}/v2/${repository}/manifests/${reference}`, {
    method: 'PUT',
    headers: {
      authorization: AUTHORIZATION,
      'content-type': 'application/vnd.oci.image.manifest.v1+json',
    },
    body: Buffer.from(body),
  });

export function startStated(): void {
  beforeAll(async () => {
    harness = await openHarness();
    sql = await openSql(harness.databaseUrl);
    const { env, registry, dataDir } = harness;
    const nothing = async () => {};
    api = await startApi(
      {},
      { surroundings: { env, registry, dataDir, stopRedis: nothing, stop: nothing } },
    );
    await api.account('boss', { isAdmin: true });
    const ann = await api.account('ann');
    for (const folder of ['stated', 'silent', 'switched', 'tagged'])
      await api.grant(ann, folder, { canPull: true, canPush: true });
    const boss = await api.as('boss');
    for (const folder of ['stated', 'switched'])
      await json(boss.patch(`/api/folders/${folder}`, { push_gate: 'off', statements: 'on' }));
    await json(boss.patch('/api/folders/tagged', { push_gate: 'off', statements: 'with_tags' }));
    await json(boss.patch('/api/folders/silent', { push_gate: 'off' }));
    await harness.startWorker({ PUBLIC_URL, REGISTRY_STORAGE: registry.storageDir });
  });
  afterAll(async () => {
    await sql?.end();
    await api?.stop();
    await harness?.[Symbol.asyncDispose]();
  });
}
