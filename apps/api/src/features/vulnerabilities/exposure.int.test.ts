/** Where a vulnerability is, and what is known of it, on real services. */
import { DEFAULT_POLICY, judge, NO_FINDINGS } from '@portcullis/domain';
import { publishReports } from '@portcullis/events';
import { buildImage, json, openSql, pushImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, stagedAs, startApi, type TestApi } from '../../api.fixture.ts';
import { reportWith } from '../../registry/gate/report.fixture.ts';

const CVE = 'CVE-2026-7777';
const REPORT = reportWith([{ id: CVE, severity: 'CRITICAL' }]);
const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };
const GATES = { lax: 'off', tells: 'report', strict: 'enforce' } as const;
let api: TestApi;
let admin: Client;
let dev: Client;
let guest: Client;
const digests: Record<string, string> = {};

beforeAll(async () => {
  api = await startApi();
  await api.account('admin', { isAdmin: true });
  const devId = await api.account('dev');
  for (const [folder, pullGate] of Object.entries(GATES)) {
    const { folderId } = await api.grant(devId, folder, { canPull: true, canPush: true });
    await api.store.folders.update(folderId, { pullGate });
  }
  const rita = await api.account('rita', { canBypassVulnBlock: true });
  await api.grant(rita, 'strict', { canPull: true, canPush: true });
  await api.grant(await api.account('guest'), 'strict', { canPull: true });
  await api.store.folders.insertFolder({ name: 'secret' });
  [admin, dev, guest] = [await api.as('admin'), await api.as('dev'), await api.as('guest')];
  const places = ['lax/a', 'lax/b', 'tells/c', 'strict/d', 'strict/e', 'strict/f', 'secret/g'];
  for (const repository of places) digests[repository] = await scanned(repository);
  await judged([
    ['lax/a', { passes: false }],
    ['lax/b', { passes: true }],
    ['tells/c', { passes: false }],
    ['strict/d', { passes: false }],
    ['strict/e', { passes: false, grace: true }],
    ['strict/f', { passes: true, waived: true }],
  ]);
});
afterAll(() => api?.stop());

/** An image of two packages with the vulnerability, under two tags. */
async function scanned(repository: string): Promise<string> {
  const image = await buildImage({ layers: [{ name: repository }] });
  for (const tag of ['1', '2']) {
    await pushImage(api.registry.url, repository, tag, image);
    const at = new Date();
    await api.store.images.record({ repository, tag, digest: image.digest, manifests: [], at });
  }
  const report = structuredClone(REPORT);
  const [found] = report.vulnerabilities;
  const [first] = found?.packages ?? [];
  if (!found || !first) throw new Error('the report has a vulnerability');
  const both = [first, { ...first, name: `${first.name}-libs`, fixedVersion: null }];
  const vulnerabilities = [{ ...found, packages: both }];
  await api.store.reports.record({
    digest: image.digest,
    report: { ...report, vulnerabilities },
    scannedAt: new Date(),
  });
  await publishReports(api.redis, [image.digest]);
  return image.digest;
}

interface Announced {
  passes: boolean;
  waived?: boolean;
  grace?: boolean;
}

/** As the worker that judges images writes it. */
async function judged(rows: [string, Announced][]): Promise<void> {
  const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
  for (const [repository, { passes, waived = false, grace = false }] of rows)
    await sql.query(
      `INSERT INTO image_standings (repository, digest, folder, passes, waived, blocking, policy,
         mark, grace_until, since, judged_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'default', 'm',
         CASE WHEN $7 THEN now() + interval '1 day' END, now(), now())`,
      [
        ...[repository, digests[repository], repository.split('/')[0], passes, waived],
        ...[passes ? [] : [CVE], grace],
      ],
    );
  await sql.end();
}

const read = (client: Client, query = '') =>
  json(client.get(`/api/vulnerabilities/${CVE}?${query}`));

describe('the exposure to a vulnerability', () => {
  it('counts images and tags by what the gate does with them', async () => {
    const { exposure } = await read(admin);
    expect(exposure.places).toEqual([
      { state: 'grace', images: 1, tags: 2, bypassed: 0 },
      { state: 'off', images: 1, tags: 2, bypassed: 0 },
      { state: 'passing', images: 1, tags: 2, bypassed: 0 },
      { state: 'refused', images: 1, tags: 2, bypassed: 0 },
      { state: 'report', images: 1, tags: 2, bypassed: 0 },
      // It was not judged: that is never said to pass.
      { state: 'unjudged', images: 1, tags: 2, bypassed: 0 },
      { state: 'waived', images: 1, tags: 2, bypassed: 0 },
    ]);
  });

  it('has what a privilege brought in, and how staged images stand for their place', async () => {
    const pull = { source_registry_host: 'ghcr.io', image: 'x/d', tag: '1' };
    const destination = { folder: 'strict' };
    const { job_id } = await json(admin.post('/api/staging/pull', { ...pull, destination }));
    const { verdict, result: vulnResult } = judge(REPORT, DEFAULT_POLICY, NO_OVERRIDES);
    const digest = digests['strict/d'] ?? '';
    await api.store.jobs.update(job_id, (job) => ({
      ...stagedAs(verdict)(job),
      ...{ digest, vulnResult },
    }));
    const { staged } = await read(admin);
    expect(staged).toMatchObject([
      { job_id, standing: { state: 'blocked', destination: { folder: 'strict' } } },
    ]);
    const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
    const push = { kind: 'local', repository: 'strict/d', status: 'done', requestedBy: 'rita' };
    const bypass = { bypassed: 'VULN_BLOCKED', finishedAt: new Date().toISOString() };
    await sql.query("UPDATE staging_jobs SET pushes = $1, status = 'pushed' WHERE id = $2", [
      ...[JSON.stringify([{ ...push, ...bypass }]), job_id],
    ]);
    const { exposure, affected } = await read(admin);
    const of = (state: string) =>
      exposure.places.find((each: { state: string }) => each.state === state);
    expect([of('refused').bypassed, of('off').bypassed, exposure.staged]).toEqual([1, 0, 0]);
    const image = affected.find((each: { repository: string }) => each.repository === 'strict/d');
    expect(image.let_in).toMatchObject({ by: 'rita' });
    await sql.query('DELETE FROM staging_jobs WHERE id = $1', [job_id]);
    await sql.end();
  });

  it('is that of the folders that the caller may pull from', async () => {
    const { exposure, affected } = await read(guest);
    const states = exposure.places.map(({ state }: { state: string }) => state);
    expect(states).toEqual(['grace', 'refused', 'waived']);
    const names = affected.map(({ repository }: { repository: string }) => repository);
    expect(names).toEqual(['strict/d', 'strict/e', 'strict/f']);
  });

  it('names each image once, with its packages, and keeps the rows of packages', async () => {
    const { affected, images } = await read(dev);
    expect(affected).toHaveLength(6);
    expect(affected[0]).toMatchObject({
      ...{ repository: 'lax/a', tags: ['1', '2'], tag_count: 2, state: 'off', blocks: true },
      packages: [{ fixed_version: expect.any(String) }, { fixed_version: null }],
      ...{ let_in: null, last_pull: null, verdict: 'blocked' },
    });
    expect(images).toHaveLength(12);
    expect(images[1]).toMatchObject({
      repository: 'lax/a',
      vulnerability: CVE,
      verdict: 'blocked',
    });
  });

  it('is paged by images, without gaps', async () => {
    const seen: string[] = [];
    let next: string | undefined = `/api/vulnerabilities/${CVE}?limit=2`;
    while (next !== undefined) {
      const reply: Response = await admin.get(next);
      expect(reply.status).toBe(200);
      const { affected, images } = await reply.json();
      expect(images).toHaveLength(2 * affected.length);
      seen.push(...affected.map(({ repository }: { repository: string }) => repository));
      next = /<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(Object.keys(digests).sort());
    const wrong = await admin.get(`/api/vulnerabilities/${CVE}?cursor=WyJhIl0`);
    expect(wrong.status).toBe(422);
  });

  it('tells teams and people apart from robots and reviewers', async () => {
    const robot = await json(admin.post('/api/robots', { name: 'ci' }));
    await api.grant(robot.id, 'strict', { canPull: true, canPush: true });
    const { owners } = await read(guest);
    expect(owners).toMatchObject([
      { folder: 'strict', people: ['dev'], reviewers: ['rita'], teams: expect.any(Array) },
    ]);
    expect(owners[0].accounts).toEqual(expect.arrayContaining(['dev', 'rita']));
    expect(owners[0].robots).toHaveLength(1);
  });

  it('says who pulled an image last to those who may change its folder', async () => {
    const at = new Date();
    const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
    await sql.query('INSERT INTO image_pulls (digest, pulled_at, pulled_by) VALUES ($1, $2, $3)', [
      ...[digests['strict/d'], at, 'cluster'],
    ]);
    await sql.end();
    const pullOf = async (client: Client) =>
      (await read(client)).affected.find(
        ({ repository }: { repository: string }) => repository === 'strict/d',
      ).last_pull;
    expect(await pullOf(dev)).toEqual({ at: at.toISOString(), by: 'cluster' });
    expect(await pullOf(guest)).toEqual({ at: at.toISOString(), by: null });
  });
});

describe('what is known of a vulnerability', () => {
  it('is unknown until a scan told it', async () => {
    expect(await read(dev)).toMatchObject({ advisory: null, kev_added: null });
  });

  it('is that of the newest database, for accounts with an image that has it', async () => {
    const advisory = {
      ...{ id: CVE, title: 'A title', description: 'Text', cvssVector: 'v', cvssSource: 'nvd' },
      ...{ cvssScore: 9.8, publishedAt: new Date('2026-11-01'), links: ['https://nvd.nist.gov/x'] },
      modifiedAt: new Date('2026-11-20'),
    };
    await api.store.advisories.keep([advisory]);
    await api.store.advisories.keep([
      { ...advisory, title: 'An older title', modifiedAt: new Date('2026-11-10') },
    ]);
    const shown = {
      ...{ title: 'A title', description: 'Text', cvss_vector: 'v', cvss_source: 'nvd' },
      ...{ cvss_score: 9.8, published_at: '2026-11-01T00:00:00.000Z' },
      modified_at: '2026-11-20T00:00:00.000Z',
      links: [{ url: 'https://nvd.nist.gov/x', host: 'nvd.nist.gov' }],
    };
    expect((await read(dev)).advisory).toEqual(shown);
    const id = await api.account('outsider');
    const outsider = await api.as('outsider');
    expect((await read(outsider)).advisory).toBeNull();
    // Who sees a review request that asks for it reads what it is.
    await api.store.reviews.insertReview(
      {
        ...{ jobId: null, push: null, reason: 'needed', ticket: null, counts: NO_FINDINGS },
        age: null,
        signatures: null,
        image: {
          ...{ digest: 'sha256:f', registryId: '__local__', host: 'here' },
          ...{ repository: 'strict/a', tag: '1' },
        },
        destination: {
          ...{ kind: 'local', registryId: '__local__', host: 'here', folder: 'strict' },
          ...{ repository: 'strict/a', tag: '1' },
        },
        findings: [
          {
            ...{ vulnerability: CVE, severity: 'CRITICAL', title: null, cvssScore: null },
            ...{ cvssVector: null, primaryUrl: null, publishedAt: null },
            ...{ packages: [], packagesTotal: 0 },
          },
        ],
        ...{ requestedBy: { id, username: 'outsider' }, until: new Date('2099-01-01') },
        endsAt: new Date('2099-01-01'),
      },
      new Date(),
    );
    expect(await read(outsider)).toMatchObject({ vulnerability: null, advisory: shown });
  });

  it('is removed with the last image, once no scan tells it any more', async () => {
    const gone = { id: 'CVE-2020-1', title: null, description: null, cvssScore: null };
    const nothing = { cvssVector: null, cvssSource: null, publishedAt: null, modifiedAt: null };
    await api.store.advisories.keep([{ ...gone, ...nothing, links: [] }]);
    const later = new Date(Date.now() + 60_000);
    expect(await api.store.advisories.removeUnused(new Date(0))).toBe(0);
    expect(await api.store.advisories.removeUnused(later)).toBe(1);
    expect(await api.store.advisories.find(CVE)).not.toBeNull();
  });
});
