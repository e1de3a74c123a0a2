import { randomUUID } from 'node:crypto';
import type { ScanReport, Vulnerability } from '@portcullis/domain';
import type { StorageScanner } from '@portcullis/store';
import { buildImage, json, pushImage, refusal } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startApi, type TestApi, withinASecond } from '../../api.fixture.ts';

let api: TestApi;
let second: TestApi;
let admin: Client;
let alice: Client;
let aliceId: string;

beforeAll(async () => {
  api = await startApi();
  await storage({});
  second = await startApi({}, api);
  await api.account('admin', { isAdmin: true });
  aliceId = await api.account('alice');
  await api.grant(aliceId, 'team', { canPull: true });
  await api.store.folders.insertFolder({ name: 'secret' });
  [admin, alice] = [await api.as('admin'), await api.as('alice')];
});
afterAll(async () => {
  await second?.stop();
  await api?.stop();
});

const STORAGE = randomUUID();

/** What a worker reports of its scanner. */
async function storage(reported: Partial<StorageScanner>): Promise<void> {
  const scanner = { binary: 'unavailable', version: null, message: '', available: false } as const;
  const disk = { total: 100, free: 40, reserve: 1 };
  const none = { database: null, databaseFailure: null, javaDownload: null };
  await api.store.storages.beat(STORAGE, {
    disk,
    registryDisk: null,
    fault: null,
    scanner: { ...scanner, ...none, ...reported },
  });
}

function vulnerability(
  id: string,
  name: string,
  severity: Vulnerability['severity'],
): Vulnerability {
  const found = { title: null, cvssScore: null, cvssVector: null, cvssSource: null };
  const place = { target: 't', path: null, purl: null, layerDigest: null, platform: null };
  const versions = { installedVersion: '1.0', fixedVersion: severity === 'LOW' ? null : '1.1' };
  const packages = [{ name, ...versions, status: 'affected', ...place }];
  return { id, severity, ...found, primaryUrl: null, publishedAt: null, packages };
}

function report(vulnerabilities: Vulnerability[], dbUpdatedAt: string | null = null): ScanReport {
  const scanner = { name: 'trivy', version: '0.1', dbUpdatedAt };
  return { coverage: 'full', notes: [], os: null, targets: [], vulnerabilities, scanner };
}

async function scanned(
  repository: string,
  vulnerabilities: Vulnerability[],
  scannedAt = new Date(),
): Promise<string> {
  const image = await buildImage({ layers: [{ name: repository }] });
  await pushImage(api.registry.url, repository, '1', image);
  const stored = { repository, tag: '1', digest: image.digest, manifests: [], at: new Date() };
  await api.store.images.record(stored);
  await api.store.reports.record({
    digest: image.digest,
    report: report(vulnerabilities),
    scannedAt,
  });
  return image.digest;
}

const policyOf = async (server: TestApi, client: Client) =>
  (
    await json(
      fetch(`${server.url}/api/trivy/state`, {
        headers: { authorization: `Bearer ${client.token}` },
      }),
    )
  ).policy;

describe('the policy', () => {
  it('an override and its removal take effect in every process within a second', async () => {
    const before = await policyOf(second, alice);
    expect(before.source).toBe('env');
    const answer = await admin.put('/api/trivy/override', {
      severities: ['LOW'],
      on_error: 'allow',
    });
    expect(await json(answer)).toMatchObject({
      severities: ['LOW'],
      on_error: 'allow',
      source: 'override',
    });
    const changed = { ...before, severities: ['LOW'], on_error: 'allow', source: 'override' };
    await withinASecond(async () => expect(await policyOf(second, alice)).toEqual(changed));
    expect((await admin.delete('/api/trivy/override')).status).toBe(204);
    await withinASecond(async () => expect(await policyOf(second, alice)).toEqual(before));
  });

  it.each([
    ['an unknown severity', { severities: ['SEVERE'] }],
    ['a repeated severity', { severities: ['HIGH', 'HIGH'] }],
    ['a field that is none', { severity: ['HIGH'] }],
    ['no time at all', { timeout_s: 0 }],
  ])('%s is refused', async (_, body) => {
    expect((await admin.put('/api/trivy/override', body)).status).toBe(422);
  });
});

describe('the vulnerability database', () => {
  it('shows by codes why it and the Java index were not updated', async () => {
    const seen = async () => json(admin.get('/api/trivy/db'));
    expect(await seen()).toMatchObject({ code: null, java_index: { code: null } });
    const at = new Date().toISOString();
    const full = { code: 'DATABASE_NO_SPACE', message: 'the disk is full' };
    await storage({
      databaseFailure: { code: 'DATABASE_SOURCE_UNREACHABLE', message: 'offline' },
      javaDownload: { state: 'failed', bytes: 0, ...full, at },
    });
    await expect.poll(seen).toMatchObject({
      code: 'DATABASE_SOURCE_UNREACHABLE',
      java_index: { state: 'failed', ...full },
    });
    await storage({});
  });

  it('one update at a time', async () => {
    const first = await admin.post('/api/trivy/db/update');
    expect([first.status, await first.json()]).toMatchObject([
      202,
      { state: 'running', requested_by: 'admin' },
    ]);
    const again = await admin.post('/api/trivy/db/update');
    expect([again.status, await again.json()]).toMatchObject([
      409,
      { code: 'DATABASE_UPDATE_RUNNING' },
    ]);
    const { update } = await json(admin.get('/api/trivy/db'));
    expect(update).toMatchObject({ state: 'running' });
  });
});

describe('scans on demand', () => {
  it('wait for a worker; a repeated request returns the same scan', async () => {
    await scanned('team/waiting', []);
    const first = await alice.post('/api/trivy/scans', { image: 'team/waiting:1' });
    const scan = await first.json();
    expect([first.status, scan]).toMatchObject([
      202,
      { state: 'queued', requested_by: 'alice', result: null },
    ]);
    expect(first.headers.get('location')).toBe(`/api/trivy/scans/${scan.id}`);
    expect((await json(alice.post('/api/trivy/scans', { image: 'team/waiting:1' }))).id).toBe(
      scan.id,
    );
    const listed = await json(alice.get('/api/trivy/scans?repository=team/waiting'));
    expect(listed).toMatchObject([{ id: scan.id }]);
  });

  it('need an image that is spelled as one, and an id that exists', async () => {
    const wrong = await alice.post('/api/trivy/scans', { image: 'team/waiting@latest' });
    expect([wrong.status, (await refusal(wrong)).errors]).toMatchObject([
      422,
      [{ path: 'image', code: 'IMAGE_INVALID' }],
    ]);
    const unknown = await alice.get(`/api/trivy/scans/${randomUUID()}`);
    expect([unknown.status, (await refusal(unknown)).code]).toEqual([404, 'SCAN_UNKNOWN']);
  });

  it('are listed without those that have ended, on request', async () => {
    const digest = await scanned('team/some-open', []);
    const place = { registryId: '__local__', repository: 'team/some-open', reference: '1', digest };
    const requestedById = (await api.store.users.findByUsername('alice'))?.id ?? '';
    await api.store.scans.insert({ ...place, requestedById, state: 'queued' });
    await api.store.scans.insert({ ...place, requestedById, state: 'done' });
    const path = '/api/trivy/scans?repository=team/some-open';
    const open = await alice.get(`${path}&open=true`);
    expect([await json(open), open.headers.get('x-total-count')]).toMatchObject([
      [{ state: 'queued' }],
      '1',
    ]);
    expect(await json(alice.get(path))).toHaveLength(2);
    expect((await alice.get(`${path}&open=maybe`)).status).toBe(422);
  });

  it('show their findings under the policy in force', async () => {
    const digest = await scanned('team/done', [vulnerability('CVE-1', 'openssl', 'CRITICAL')]);
    const place = { registryId: '__local__', repository: 'team/done', reference: '1', digest };
    const { id } = await api.store.scans.insert({
      ...place,
      requestedById: aliceId,
      state: 'done',
    });
    const shown = await json(alice.get(`/api/trivy/scans/${id}`));
    expect(shown).toMatchObject({
      state: 'done',
      verdict: 'blocked',
      counts: { CRITICAL: 1 },
      result: { total: 1, vulnerabilities: [{ id: 'CVE-1' }] },
    });
  });

  it.each([
    ['a digest without an @', 'team/app:sha256:abc', 422],
    ['upper case', 'Team/App', 422],
    ['an image that is not there', 'team/none:1', 404],
    ['a folder the caller may not pull from', 'secret/app:1', 403],
  ])('%s', async (_, image, status) => {
    expect((await alice.post('/api/trivy/scans', { image })).status).toBe(status);
  });
});

describe('the search', () => {
  beforeAll(async () => {
    const found = [vulnerability('CVE-2', 'zlib', 'HIGH'), vulnerability('CVE-3', 'curl', 'LOW')];
    await scanned('team/one', found);
    await scanned('secret/two', found);
  });

  it.each([
    ['by vulnerability', 'cve=CVE-2', ['secret/two', 'team/one']],
    ['by package', 'package=curl', ['secret/two', 'team/one']],
    ['by both, where both hold', 'cve=CVE-2&package=zlib', ['secret/two', 'team/one']],
    ['by both, where one holds', 'cve=CVE-2&package=curl', []],
  ])('finds images %s, limited to what the caller may pull', async (_, query, all) => {
    const names = async (client: Client) =>
      (await json(client.get(`/api/trivy/search?${query}`))).map(
        ({ repository }: { repository: string }) => repository,
      );
    expect(await names(admin)).toEqual(all);
    expect(await names(alice)).toEqual(all.filter((name) => name.startsWith('team/')));
  });

  it('is paged, and requires a search term', async () => {
    const first = await admin.get('/api/trivy/search?cve=CVE-2&limit=1');
    expect(await json(first)).toMatchObject([
      { repository: 'secret/two', tags: ['1'], fixed_version: '1.1' },
    ]);
    const [, next = ''] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? [];
    const rest = await admin.get(next);
    expect(await json(rest)).toMatchObject([{ repository: 'team/one', folder: 'team' }]);
    expect(rest.headers.get('link')).toBeNull();
    expect((await admin.get('/api/trivy/search')).status).toBe(422);
  });
});

describe('the dashboard', () => {
  it('counts what the caller may read, each blob once', async () => {
    const digest = `sha256:${'d'.repeat(64)}`;
    const blob = { digest: `sha256:${'b'.repeat(64)}`, size: 1000, isManifest: false };
    const facts = {
      digest,
      mediaType: 'm',
      artifactType: null,
      subject: null,
      size: 10,
      contents: [blob],
    };
    for (const repository of ['shared/a', 'shared/b', 'hidden/c']) {
      const manifests = [{ ...facts, platforms: [] }];
      await api.store.images.record({ repository, tag: '1', digest, manifests, at: new Date() });
    }
    const bob = await api.account('bob');
    await api.grant(bob, 'shared', { canPull: true });
    await api.store.folders.insertFolder({ name: 'hidden' });
    const stats = await json((await api.as('bob')).get('/api/dashboard/stats'));
    expect(stats).toMatchObject({
      repositories: 2,
      tags: 2,
      bytes: 1010,
      folders: [{ folder: 'shared', repositories: 2, tags: 2, bytes: 1010 }],
      disk: null,
      accounts: null,
      findings: { images_scanned: 0, images_unscanned: 1 },
    });
    expect(stats.largest.map(({ name }: { name: string }) => name)).toEqual([
      'shared/a',
      'shared/b',
    ]);
    expect(stats.jobs.per_day).toHaveLength(30);
  });

  it('shows an admin all of it, with the accounts of people and the disk', async () => {
    expect((await admin.post('/api/robots', { name: 'builder' })).status).toBe(201);
    const stats = await json(admin.get('/api/dashboard/stats'));
    expect(stats.folders.map(({ folder }: { folder: string }) => folder)).toEqual(
      expect.arrayContaining(['team', 'secret', 'shared', 'hidden']),
    );
    expect(stats).toMatchObject({
      accounts: { users: 3, admins: 1, disabled: 0 },
      registry: { ok: true },
    });
    expect(stats.disk.total).toBeGreaterThan(stats.disk.free);
    expect(stats.top_vulnerable[0]).toMatchObject({
      repository: 'team/done',
      counts: { CRITICAL: 1 },
      verdict: 'blocked',
    });
    expect(stats.attention).toContainEqual({
      kind: 'scanner_unavailable',
      level: 'critical',
      count: 1,
      oldest_at: null,
    });
  });

  it('shows the findings of each day: of images that the caller may pull and of their jobs, each once a day', async () => {
    const carol = await api.account('carol');
    await api.grant(carol, 'graph', { canPull: true });
    await api.store.folders.insertFolder({ name: 'hush' });
    const digest = await scanned(
      'graph/a',
      [vulnerability('CVE-4', 'zlib', 'CRITICAL')],
      daysAgo(2, 12),
    );
    await scanned('hush/b', [vulnerability('CVE-5', 'zlib', 'HIGH')], daysAgo(2, 12));
    await scannedJob(carol, { digest, at: daysAgo(2, 6), found: { MEDIUM: 7 } });
    await scannedJob(aliceId, { digest, at: daysAgo(5, 6), found: { HIGH: 2 } });
    await scannedJob(carol, {
      digest: `sha256:${'1'.repeat(64)}`,
      at: daysAgo(1, 6),
      found: { LOW: 3 },
    });
    await scannedJob(aliceId, {
      digest: `sha256:${'2'.repeat(64)}`,
      at: daysAgo(1, 6),
      found: { CRITICAL: 5 },
    });
    await scannedJob(carol, { digest, at: daysAgo(40, 6), found: { LOW: 9 } });

    expect(await findingDays(await second.as('carol'))).toEqual([
      { day: dayOf(daysAgo(5, 6)), images: 1, by_severity: { ...NONE, HIGH: 2 } },
      { day: dayOf(daysAgo(2, 6)), images: 1, by_severity: { ...NONE, CRITICAL: 1 } },
      { day: dayOf(daysAgo(1, 6)), images: 1, by_severity: { ...NONE, LOW: 3 } },
    ]);
    const all = await findingDays(await second.as('admin'));
    expect(all).toEqual(
      expect.arrayContaining([
        { day: dayOf(daysAgo(2, 6)), images: 2, by_severity: { ...NONE, CRITICAL: 1, HIGH: 1 } },
        { day: dayOf(daysAgo(1, 6)), images: 2, by_severity: { ...NONE, CRITICAL: 5, LOW: 3 } },
      ]),
    );
  });
});

const NONE = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };

/** One time, because midnight may pass. */
const NOW = Date.now();

function daysAgo(days: number, hour: number): Date {
  const at = new Date(NOW - days * 86_400_000);
  at.setUTCHours(hour, 0, 0, 0);
  return at;
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** A job whose image was scanned, as a worker leaves it. */
async function scannedJob(
  ownerId: string,
  { digest, at, found }: { digest: string; at: Date; found: Partial<typeof NONE> },
): Promise<void> {
  const source = { kind: 'host', registryId: null, host: 'example.org' } as const;
  const { id } = await api.store.jobs.insert({ ownerId, image: 'a', tag: '1', source });
  const counts = { ...NONE, ...found };
  const judged = { enabled: true, blocked: false, severities: [], counts, fixable: NONE, total: 1 };
  await api.store.jobs.update(id, (job) => ({
    ...job,
    status: 'staged',
    verdict: 'findings',
    digest,
    vulnResult: { ...report([]), ...judged },
    timeline: [...job.timeline, { at, status: 'scanning', kind: 'status_changed' }],
  }));
}

async function findingDays(client: Client): Promise<{ images: number }[]> {
  const { findings } = await json(client.get('/api/dashboard/stats'));
  expect(findings.per_day).toHaveLength(30);
  return findings.per_day.filter(({ images }: { images: number }) => images > 0);
}
