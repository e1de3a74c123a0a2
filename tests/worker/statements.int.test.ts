/**
 * Signed statements about tagged images: written by a real worker beside images that were pushed
 * over `/v2`, withdrawn when a standing changes, and verified as any reader verifies them.
 */
import {
  collectSignatures,
  generateSigningKey,
  openAuthority,
  openSigningKey,
  verifySignatures,
} from '@portcullis/attest';
import { LOCAL_REGISTRY_ID, PREDICATE_TYPES, type StatementKind } from '@portcullis/domain';
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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import { blockedReport, cleanReport } from '../../apps/api/src/registry/gate/report.fixture.ts';
import { type Harness, openHarness } from './harness.ts';

const CREDENTIALS = { username: 'ann', password: 'pass-of-ann' };
const PUBLIC_URL = 'https://images.example.com';
const HERE = { kind: 'registry', registryId: LOCAL_REGISTRY_ID, host: 'here' } as const;
const NO_SCAN = { vulnScanEnabled: false, vulnSeverities: null };

let harness: Harness;
let api: TestApi;
let sql: Awaited<ReturnType<typeof openSql>>;

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
  await harness.startWorker({ PUBLIC_URL });
});

afterAll(async () => {
  await sql?.end();
  await api?.stop();
  await harness?.[Symbol.asyncDispose]();
});

let number = 0;

/** A tagged image in a folder, which a scan judged. */
async function judged(folder = 'stated', report = cleanReport()) {
  number += 1;
  const repository = `${folder}/app-${number}`;
  const image = await randomImage({ bytes: 100 });
  await pushImage(api.url, repository, '1', image, { credentials: CREDENTIALS });
  await scanned(image, report);
  return { ...image, repository };
}
type Judged = Awaited<ReturnType<typeof judged>>;

const scanned = ({ digest }: Pick<TestImage, 'digest'>, report = cleanReport()) =>
  harness.store.reports.record({ digest, report, scannedAt: new Date() });

function repositoryOf(repository: string) {
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
async function listed({ repository, digest }: Judged, kind: StatementKind): Promise<Listed[]> {
  const { manifests }: { manifests: Listed[] } = await json(
    fetch(`${api.url}/v2/${repository}/referrers/${digest}`, {
      headers: { authorization: `Basic ${btoa('ann:pass-of-ann')}` },
    }),
  );
  return manifests.filter(
    ({ annotations }) =>
      annotations?.['dev.sigstore.bundle.predicateType'] === PREDICATE_TYPES[kind],
  );
}

/** What the one statement of the kind says; null where there is none. */
async function said(image: Judged, kind: StatementKind = 'verdict') {
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

const result = async (image: Judged) => (await said(image))?.predicate.verificationResult ?? null;

/** As a reader who has the public key alone. */
async function verified(image: Judged): Promise<(string | null)[]> {
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

it('an image that passes is stated to, and any reader with the public key verifies it', async () => {
  const image = await judged();
  await expect.poll(() => result(image)).toBe('PASSED');
  expect(await said(image)).toMatchObject({
    subject: [
      { name: `images.example.com/${image.repository}`, digest: { sha256: image.digest.slice(7) } },
    ],
    predicate: {
      verifier: { id: PUBLIC_URL },
      policy: { uri: expect.stringContaining(`${PUBLIC_URL}#policy=default&version=`) },
    },
  });
  expect(await verified(image)).toContain(PREDICATE_TYPES.verdict);
});

it('a standing that changes withdraws the statement and writes another one', async () => {
  const image = await judged();
  await expect.poll(() => result(image)).toBe('PASSED');
  const before = (await said(image))?.manifest;
  await scanned(image, blockedReport());
  await expect.poll(() => result(image)).toBe('FAILED');
  await expect
    .poll(() =>
      repositoryOf(image.repository)
        .manifest(before ?? '')
        .catch(({ kind }) => kind),
    )
    .toBe('not_found');
  expect((await said(image))?.predicate).toMatchObject({ code: 'VULN_BLOCKED' });
});

const row = async ({ repository, digest }: Judged) =>
  (
    await sql.query(
      `SELECT manifest, leftover, error FROM image_statements
        WHERE repository = $1 AND digest = $2 AND kind = 'verdict'`,
      [repository, digest],
    )
  ).rows[0];

/** Once it has looked for what is due twice, the worker has left alone what it will leave alone. */
async function looked(): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    const other = await judged();
    await expect.poll(() => result(other)).toBe('PASSED');
  }
}

describe('nothing is stated about', () => {
  it.each<[string, () => Promise<Judged>]>([
    ['an image of a folder that does not ask', () => judged('silent')],
    [
      'an image that no scan judged',
      async () => {
        const image = await judged();
        await sql.query('DELETE FROM image_reports WHERE digest = $1', [image.digest]);
        return image;
      },
    ],
    [
      'an image that passes although the scanner could not judge it',
      () => judged('stated', { ...cleanReport(), coverage: 'none', notes: ['none'] }),
    ],
  ])('%s', async (_, made) => {
    const image = await made();
    await looked();
    await expect.poll(() => result(image)).not.toBe('PASSED');
  });
});

it('nothing changes, nothing is written; a week later it is signed again', async () => {
  const image = await judged();
  await expect.poll(() => result(image)).toBe('PASSED');
  const first = await said(image);
  await scanned(image, cleanReport());
  await looked();
  expect((await said(image))?.manifest).toBe(first?.manifest);
  await sql.query(
    `UPDATE image_statements SET signed_at = now() - interval '8 days'
                    WHERE digest = $1`,
    [image.digest],
  );
  await expect.poll(async () => (await said(image))?.manifest).not.toBe(first?.manifest);
  expect(await result(image)).toBe('PASSED');
});

it('a folder that asks no longer, and a tag that goes, withdraw what was stated', async () => {
  const image = await judged('switched');
  await expect.poll(() => result(image)).toBe('PASSED');
  const boss = await api.as('boss');
  await json(boss.patch('/api/folders/switched', { statements: 'off' }));
  await expect.poll(() => result(image)).toBeNull();
  await expect.poll(() => row(image)).toBeUndefined();
  const tagged = await judged();
  await expect.poll(() => result(tagged)).toBe('PASSED');
  await harness.store.images.removeTag(tagged.repository, '1');
  await expect.poll(() => row(tagged)).toBeUndefined();
});

it('what a killed worker was writing is removed by the next one', async () => {
  const image = await judged();
  await expect.poll(() => result(image)).toBe('PASSED');
  const stray = await repositoryOf(image.repository).manifest((await said(image))?.manifest ?? '');
  const { manifest } = await row(image);
  await sql.query(
    `UPDATE image_statements SET leftover = ARRAY[manifest], manifest = NULL, says = NULL
      WHERE digest = $1`,
    [image.digest],
  );
  await expect.poll(async () => (await row(image))?.manifest ?? manifest).not.toBe(manifest);
  expect(stray.descriptor.digest).toBe(manifest);
  expect(await result(image)).toBe('PASSED');
});

it('another key signs all of them again', async () => {
  const image = await judged();
  await expect.poll(() => verified(image)).toContain(PREDICATE_TYPES.verdict);
  const privateKey = generateSigningKey();
  const { id, publicKey } = openSigningKey(privateKey);
  await harness.store.signingKeys.rotate({ id, publicKey, privateKey }, { days: 0 });
  await expect.poll(() => verified(image)).toEqual([PREDICATE_TYPES.verdict]);
});

it('a statement is no image, needs no room of a quota, and is recorded', async () => {
  const boss = await api.as('boss');
  const image = await judged();
  await json(boss.patch('/api/folders/stated', { quota_bytes: 1 }));
  await expect.poll(() => result(image)).toBe('PASSED');
  await json(boss.patch('/api/folders/stated', { quota_bytes: null }));
  const { items } = await repositoryOf(image.repository).tags();
  expect(items).toEqual(['1']);
  const { rowCount } = await sql.query(
    `SELECT FROM audit_outbox
      WHERE body ->> 'event' = 'statement.signed' AND body -> 'resource' ->> 'id' = $1`,
    [image.digest],
  );
  expect(rowCount).toBe(1);
});

interface Layer {
  annotations?: Record<string, string>;
}
const OURS = 'io.portcullis.statement';
const tagOf = (digest: string) => `${digest.replace(':', '-')}.att`;

/** The results of our layers, and how many layers others have there; null without the tag. */
async function underTag({ repository: name, digest }: Pick<Judged, 'repository' | 'digest'>) {
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

async function attestedByOthers({ repository, digest }: Judged): Promise<void> {
  const theirs = await buildArtifact({
    layers: [{ mediaType: 'application/vnd.dsse.envelope.v1+json', bytes: Buffer.from('{}') }],
  });
  await pushImage(api.url, repository, tagOf(digest), theirs, { credentials: CREDENTIALS });
}

describe("under cosign's tag of attestations", () => {
  it('a verdict is there as well, changes with the standing, and goes with it', async () => {
    const image = await judged('tagged');
    await expect.poll(() => underTag(image)).toEqual({ results: ['PASSED'], others: 0 });
    await scanned(image, blockedReport());
    await expect.poll(() => underTag(image)).toEqual({ results: ['FAILED'], others: 0 });
    await harness.store.images.removeTag(image.repository, '1');
    await expect.poll(() => underTag(image)).toBeNull();
  });

  it('what others attested there stays', async () => {
    const image = await judged('tagged');
    await expect.poll(() => underTag(image)).toEqual({ results: ['PASSED'], others: 0 });
    await attestedByOthers(image);
    await scanned(image, blockedReport());
    await expect.poll(() => underTag(image)).toEqual({ results: ['FAILED'], others: 1 });
    await harness.store.images.removeTag(image.repository, '1');
    await expect.poll(() => underTag(image)).toEqual({ results: [], others: 1 });
  });
});

describe('a copy of an image in another folder', () => {
  it.each<[string, (from: Judged, to: string) => Promise<unknown>]>([
    [
      'that was copied here',
      async (from, to) =>
        json(
          (await api.as('boss')).post('/api/images/copy', {
            ...{ source_repository: from.repository, source_tag: '1', dest_repository: to },
          }),
        ),
    ],
    [
      'that a job pushed',
      async (from, to) => {
        const { id } = await harness.submit({
          ...{ image: from.repository, tag: '1', withReferrers: true, auto: true },
          ...{ host: 'here', source: HERE, overrides: NO_SCAN },
        });
        await harness.settled(id);
        await harness.push(id, { repository: to, tag: '1' });
        expect((await harness.settled(id)).status).toBe('pushed');
      },
    ],
  ])('%s has no statement of this one, and what others attested', async (_, copy) => {
    const from = await judged('tagged', blockedReport());
    await expect.poll(() => underTag(from)).toEqual({ results: ['FAILED'], others: 0 });
    await attestedByOthers(from);
    await scanned(from, cleanReport());
    await expect.poll(() => underTag(from)).toEqual({ results: ['PASSED'], others: 1 });
    const to = { ...from, repository: `silent/copy-${number}` };
    await copy(from, to.repository);
    expect(await listed(to, 'verdict')).toEqual([]);
    expect(await underTag(to)).toEqual({ results: [], others: 1 });
  });
});
