/**
 * Signed statements about tagged images: written by a real worker beside images that were pushed
 * over `/v2`, withdrawn when a standing changes, and verified as any reader verifies them.
 */
import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import {
  collectSignatures,
  generateSigningKey,
  openAuthority,
  openSigningKey,
  verifySignatures,
} from '@portcullis/attest';
import {
  LOCAL_REGISTRY_ID,
  PREDICATE_TYPES,
  STATEMENT_KINDS,
  type StatementKind,
} from '@portcullis/domain';
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
  await expect.poll(() => said(image, 'vulns')).not.toBeNull();
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
  const current = await harness.store.signingKeys.current();
  const query = new URLSearchParams({ repository: image.repository, reference: '1' });
  const boss = await api.as('boss');
  expect(await json(boss.get(`/api/images/__local__/statements?${query}`))).toMatchObject({
    digest: image.digest,
    statements: [
      {
        ...{ kind: 'verdict', predicate_type: PREDICATE_TYPES.verdict, key_id: current?.id },
        ...{ digest: (await said(image))?.manifest, left_out: null, error: null },
      },
      { kind: 'vulns' },
    ],
  });
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

const row = async ({ repository, digest }: Judged, kind: StatementKind = 'verdict') =>
  (
    await sql.query(
      `SELECT manifest, leftover, error, attempts, left_out FROM image_statements
        WHERE repository = $1 AND digest = $2 AND kind = $3`,
      [repository, digest, kind],
    )
  ).rows[0];

/** Once it has looked for what is due twice, the worker has left alone what it will leave alone. */
async function looked(): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    const other = await judged();
    await expect.poll(() => result(other)).toBe('PASSED');
  }
}

describe('left alone is', () => {
  const CASES: [string, () => Promise<Judged>, StatementKind[]][] = [
    ['an image of a folder that does not ask', () => judged('silent'), []],
    [
      'an image that no scan judged',
      async () => {
        const image = await judged();
        await sql.query('DELETE FROM image_reports WHERE digest = $1', [image.digest]);
        return image;
      },
      [],
    ],
    [
      'the scan of what the scanner could not judge, beside the verdict that blocks it',
      () => judged('stated', { ...cleanReport(), coverage: 'none', notes: ['none'] }),
      ['verdict'],
    ],
    [
      'what a scan found that judged a part alone, and its list of packages',
      async () => {
        const partial = { ...blockedReport(), coverage: 'partial' as const, notes: ['a'] };
        const image = await judged('stated', partial);
        await analysed(image, ['curl']);
        return image;
      },
      ['verdict'],
    ],
  ];

  it(`${CASES.map(([name]) => name).join('; ')}`, async () => {
    const images = await Promise.all(CASES.map(([, make]) => make()));
    await looked();
    for (const [at, image] of images.entries()) {
      const [name, , stated] = CASES[at] ?? ['', null, []];
      const kinds = async () => {
        const lists = await Promise.all(STATEMENT_KINDS.map((kind) => listed(image, kind)));
        return STATEMENT_KINDS.filter((_, kind) => (lists[kind]?.length ?? 0) > 0);
      };
      await expect.poll(kinds, { message: name }).toEqual(stated);
    }
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
      WHERE digest = $1 AND kind = 'verdict'`,
    [image.digest],
  );
  await expect.poll(async () => (await row(image))?.manifest ?? manifest).not.toBe(manifest);
  expect(stray.descriptor.digest).toBe(manifest);
  expect(await result(image)).toBe('PASSED');
});

it('another key signs all of them again', async () => {
  const image = await judged();
  await expect.poll(() => verified(image).then((found) => found.length)).toBe(2);
  const privateKey = generateSigningKey();
  const { id, publicKey } = openSigningKey(privateKey);
  await harness.store.signingKeys.rotate({ id, publicKey, privateKey }, { days: 0 });
  const both = [PREDICATE_TYPES.vulns, PREDICATE_TYPES.verdict];
  await expect.poll(async () => (await verified(image)).sort()).toEqual(both);
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
      WHERE body ->> 'event' = 'statement.signed' AND body -> 'resource' ->> 'id' = $1
        AND body -> 'detail' ->> 'statement' = 'verdict'`,
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

/** As a scan with Trivy stores it; a night test compares such lists with Trivy's own reports. */
async function analysed({ digest }: Judged, packages: string[]): Promise<void> {
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

describe('of a scan that judged all packages', () => {
  const found = async (image: Judged) =>
    (await said(image, 'vulns'))?.predicate.scanner.result.Results.flatMap(
      ({ Vulnerabilities }: { Vulnerabilities: { VulnerabilityID: string }[] }) =>
        Vulnerabilities.map((each) => each.VulnerabilityID),
    );

  it('what it found is stated, and stated again only where it is another', async () => {
    const image = await judged();
    await expect.poll(() => found(image)).toEqual([]);
    const first = await said(image, 'vulns');
    await scanned(image, cleanReport());
    await looked();
    expect((await said(image, 'vulns'))?.manifest).toBe(first?.manifest);
    await scanned(image, blockedReport());
    await expect.poll(() => found(image)).toEqual(['CVE-2026-1234']);
  });

  it('its list of packages is stated, also after what it was made from is gone', async () => {
    const image = await judged();
    await analysed(image, ['curl', 'bash']);
    await expect.poll(() => said(image, 'sbom')).not.toBeNull();
    const stated = await said(image, 'sbom');
    expect(stated.predicate).toMatchObject({
      bomFormat: 'CycloneDX',
      components: [
        { name: 'curl', purl: 'pkg:deb/debian/curl@8?distro=debian-12.5' },
        { name: 'bash', purl: 'pkg:deb/debian/bash@8?distro=debian-12.5' },
      ],
    });
    await sql.query('DELETE FROM image_analyses WHERE digest = $1', [image.digest]);
    await scanned(image, blockedReport());
    await expect.poll(() => found(image)).toEqual(['CVE-2026-1234']);
    expect((await said(image, 'sbom'))?.manifest).toBe(stated.manifest);
  });

  it('a list that is too large for readers is left out, and not made at each look', async () => {
    const image = await judged();
    const long = 'p'.repeat(200);
    await analysed(
      image,
      Array.from({ length: 12_000 }, (_, at) => `${long}${at}`),
    );
    await expect.poll(() => row(image, 'sbom')).toMatchObject({ left_out: 'too_large' });
    const { attempts } = await row(image, 'sbom');
    await looked();
    expect(await row(image, 'sbom')).toMatchObject({ attempts, manifest: null, error: null });
  });
});

it('a push of a job is recorded, longer than the job', async () => {
  const from = await judged('silent');
  const { id } = await pulled(from);
  await harness.push(id, { repository: 'stated/promoted', tag: '2' });
  expect((await harness.settled(id)).status).toBe('pushed');
  const to = { ...from, repository: 'stated/promoted' };
  await expect.poll(() => said(to, 'promotion')).not.toBeNull();
  const stated = await said(to, 'promotion');
  expect(stated.predicate).toMatchObject({
    source: { uri: `here/${from.repository}:1`, digest: { sha256: from.digest.slice(7) } },
    destination: { uri: 'images.example.com/stated/promoted:2' },
    ...{ requestedBy: 'root', approvedBy: [], job: id },
  });
  await sql.query('DELETE FROM staging_jobs WHERE id = $1', [id]);
  await looked();
  expect((await said(to, 'promotion'))?.manifest).toBe(stated.manifest);
});

/** By a job, from a repository here. */
async function pulled({ repository: image }: Judged) {
  const { id } = await harness.submit({
    ...{ image, tag: '1', withReferrers: true, host: 'here', source: HERE, overrides: NO_SCAN },
  });
  return harness.settled(id);
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
        const { id } = await pulled(from);
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
