/** The search of everything, on real services. */
import type { ScanReport } from '@portcullis/domain';
import { json, openSql } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;
let alice: Client;
let carol: Client;

beforeAll(async () => {
  api = await startApi();
  await api.account('admin', { isAdmin: true });
  const aliceId = await api.account('alice');
  await api.grant(aliceId, 'team', { canPull: true });
  const bobId = await api.account('bob');
  await api.grant(bobId, 'secret', { canPull: true });
  const carolId = await api.account('carol');
  await api.grant(carolId, 'team', { canPush: true });
  [admin, alice, carol] = [await api.as('admin'), await api.as('alice'), await api.as('carol')];
  await tagged('team/shop', 'CVE-2026-0001');
  await tagged('team/web/shop-front', 'CVE-2026-0001');
  await tagged('secret/shop', 'CVE-2026-0002');
  for (const number of [1, 2, 3, 4, 5, 6]) await tagged(`team/many/part${number}`);
  await staged(aliceId, 'docker.io/library/nginx');
  await staged(bobId, 'docker.io/library/nginx-secret');
  await failed(aliceId, 'docker.io/old/refused', 'VULN_BLOCKED');
  await failed(aliceId, 'docker.io/old/unreachable', 'REGISTRY_UNREACHABLE');
  // As the worker that judges images writes it.
  const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
  await sql.query(
    'INSERT INTO known_vulnerabilities SELECT DISTINCT vulnerability, now() FROM image_findings',
  );
  await sql.end();
});
afterAll(() => api?.stop());

const JOB_DIGEST = `sha256:${'d'.repeat(64)}`;
let images = 0;

async function tagged(repository: string, ...vulnerabilities: string[]): Promise<void> {
  images += 1;
  const digest = `sha256:${String(images).padStart(64, '0')}`;
  const at = new Date();
  await api.store.images.record({ repository, tag: '1', digest, manifests: [], at });
  await api.store.reports.record({ digest, report: reportOf(vulnerabilities), scannedAt: at });
}

function reportOf(ids: readonly string[]): ScanReport {
  const scanner = { name: 'trivy', version: '0.1', dbUpdatedAt: null };
  const rating = { cvssScore: null, cvssVector: null, cvssSource: null };
  const place = { target: 't', path: null, purl: null, layerDigest: null, platform: null };
  const version = { name: 'zlib', installedVersion: '1.0', fixedVersion: '1.1' };
  const vulnerabilities = ids.map((id) => ({
    id,
    severity: 'HIGH' as const,
    ...rating,
    ...{ title: `A fault with the id ${id}`, primaryUrl: null, publishedAt: null },
    packages: [{ ...version, status: 'affected', ...place }],
  }));
  return { coverage: 'full', notes: [], os: null, targets: [], vulnerabilities, scanner };
}

async function failed(ownerId: string, image: string, code: string): Promise<void> {
  const id = await staged(ownerId, image);
  const error = { code, message: 'It failed.', side: null, retryable: false };
  await api.store.jobs.update(id, (job) => ({ ...job, digest: null, status: 'failed', error }));
}

async function staged(ownerId: string, image: string): Promise<string> {
  const source = { kind: 'dockerhub', registryId: null, host: 'docker.io' } as const;
  const { id } = await api.store.jobs.insert({ ownerId, image, tag: '1.27', source });
  await api.store.jobs.update(id, (job) => ({ ...job, digest: JOB_DIGEST }));
  return id;
}

async function found(client: Client, q: string) {
  const reply = await client.get(`/api/search?${new URLSearchParams({ q })}`);
  expect(reply.status).toBe(200);
  const { images, jobs, vulnerabilities, folders, people } = await reply.json();
  return {
    images: images.map((each: { repository: string }) => each.repository),
    jobs: jobs.map((each: { image: string }) => each.image),
    vulnerabilities: vulnerabilities.map((each: { id: string }) => each.id),
    folders: folders.map((each: { name: string }) => each.name),
    people: people.map((each: { username: string }) => each.username),
  };
}

const NOTHING = { images: [], jobs: [], vulnerabilities: [], folders: [], people: [] };

describe('the search', () => {
  it('finds an image by a part of its repository, in upper or lower case, the best match first', async () => {
    const { images } = await found(admin, 'SHOP');
    expect(images).toEqual(['team/shop', 'secret/shop', 'team/web/shop-front']);
  });

  it.each(['team/shop:1.0', `team/shop@sha256:${'a'.repeat(64)}`])(
    'finds the repository of %s',
    async (q) => {
      expect((await found(admin, q)).images).toEqual(['team/shop']);
    },
  );

  it('finds a job by its image, its tag and the beginning of its digest', async () => {
    for (const q of ['nginx:1.27', 'library/NGINX', JOB_DIGEST.slice(0, 19)])
      expect((await found(alice, q)).jobs, q).toEqual(['docker.io/library/nginx']);
    expect((await found(admin, 'nginx')).jobs).toHaveLength(2);
  });

  it('tells a job that the gate stopped from one that failed', async () => {
    const reply = await alice.get('/api/search?q=io/old');
    expect((await json(reply)).jobs).toMatchObject([
      { image: 'docker.io/old/unreachable', status: 'failed', blocked: false },
      { image: 'docker.io/old/refused', status: 'failed', blocked: true },
    ]);
  });

  it('finds a vulnerability, a folder and a person', async () => {
    expect((await found(admin, 'cve-2026')).vulnerabilities).toEqual([
      'CVE-2026-0002',
      'CVE-2026-0001',
    ]);
    expect((await found(admin, 'eam')).folders).toEqual(['team']);
    expect((await found(admin, 'ali')).people).toEqual(['alice']);
  });

  it('answers with at most five of a kind', async () => {
    expect((await found(admin, 'team/many')).images).toHaveLength(5);
  });

  it('takes a wildcard of SQL for a character', async () => {
    for (const q of ['%', '_', '\\']) expect(await found(admin, q), q).toEqual(NOTHING);
  });

  it.each(['', 'q=', 'q=%20', 'q=%00', `q=${'x'.repeat(256)}`])('refuses “%s”', async (query) => {
    expect((await admin.get(`/api/search?${query}`)).status).toBe(422);
  });
});

describe('what an account may not see', () => {
  it.each(['shop', 'secret', 'nginx', 'CVE-2026', 'bob', 'a', '1'])(
    'is not found by “%s”',
    async (q) => {
      const text = JSON.stringify(await found(alice, q));
      for (const hidden of ['secret', 'CVE-2026-0002', 'bob', 'alice'])
        expect(text).not.toContain(hidden);
    },
  );

  it('does not include what it may pull', async () => {
    expect((await found(alice, 'shop')).images).toEqual(['team/shop', 'team/web/shop-front']);
    expect((await found(alice, 'CVE-2026')).vulnerabilities).toEqual(['CVE-2026-0001']);
    expect((await found(alice, 'team')).folders).toEqual(['team']);
  });

  it('is everything in a folder that it may push to and not pull from', async () => {
    expect(await found(carol, 'team')).toEqual(NOTHING);
    expect(await found(carol, 'CVE')).toEqual(NOTHING);
  });
});
