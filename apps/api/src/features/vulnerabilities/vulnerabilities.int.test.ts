/** The vulnerabilities of tagged images, on real services. */
import type { Job } from '@portcullis/contract';
import { parseFeedFile, type ScanReport, type Vulnerability } from '@portcullis/domain';
import { publishChange, systemEvent } from '@portcullis/events';
import { buildImage, epssFile, json, kevFile, openSql, pushImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, startApi, type TestApi } from '../../api.fixture.ts';

const DAY_MS = 86_400_000;
const OLD = new Date(Date.now() - 5 * DAY_MS);
let api: TestApi;
let admin: Client;
let alice: Client;
let adminId: string;

beforeAll(async () => {
  api = await startApi();
  adminId = await api.account('admin', { isAdmin: true });
  const aliceId = await api.account('alice');
  await api.grant(aliceId, 'team', { canPull: true });
  const bobId = await api.account('bob');
  await api.grant(bobId, 'team', { canPull: true, canPush: true });
  await api.store.folders.insertFolder({ name: 'secret' });
  [admin, alice] = [await api.as('admin'), await api.as('alice')];
  const openssl = vulnerability('CVE-2026-0001', 'openssl', 'CRITICAL');
  const zlib = vulnerability('CVE-2026-0002', 'zlib', 'HIGH');
  const rare = vulnerability('CVE-2026-0003', 'rare', 'HIGH');
  const low = vulnerability('CVE-2026-0004', 'low', 'LOW');
  await scanned('team/one', [openssl, zlib]);
  await scanned('team/two', [zlib, rare, low], new Date(OLD.getTime() + 1));
  await scanned('secret/three', [openssl, zlib]);
});
afterAll(() => api?.stop());

function vulnerability(
  id: string,
  name: string,
  severity: Vulnerability['severity'],
): Vulnerability {
  const rating = { cvssScore: null, cvssVector: null, cvssSource: null };
  const place = { target: 't', path: null, purl: null, layerDigest: null, platform: null };
  const versions = { installedVersion: '1.0', fixedVersion: severity === 'LOW' ? null : '1.1' };
  const packages = [{ name, ...versions, status: 'affected', ...place }];
  const about = { title: `A fault of ${name}`, primaryUrl: null, publishedAt: null };
  return { id, severity, ...rating, ...about, packages };
}

function reportOf(vulnerabilities: Vulnerability[]): ScanReport {
  const scanner = { name: 'trivy', version: '0.1', dbUpdatedAt: null };
  return { coverage: 'full', notes: [], os: null, targets: [], vulnerabilities, scanner };
}

async function scanned(
  repository: string,
  vulnerabilities: Vulnerability[],
  scannedAt = OLD,
): Promise<string> {
  const { digest } = await pushedImage(repository);
  await api.store.reports.record({ digest, report: reportOf(vulnerabilities), scannedAt });
  return digest;
}

async function pushedImage(repository: string) {
  const image = await buildImage({ layers: [{ name: repository }] });
  await pushImage(api.registry.url, repository, '1', image);
  const at = new Date();
  const tag = { repository, tag: '1', digest: image.digest, manifests: [], at };
  await api.store.images.record(tag);
  return image;
}

/** Returns its address. */
async function jobWith(vulnerabilities: Vulnerability[]): Promise<string> {
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const { id } = await api.store.jobs.insert({
    ...{ ownerId: adminId, image: 'acme/app', tag: '1', source },
  });
  const counts = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };
  await api.store.jobs.update(id, (job) => ({
    ...job,
    verdict: 'findings',
    vulnResult: {
      ...reportOf(vulnerabilities),
      ...{ enabled: true, blocked: false, severities: [] },
      ...{ counts, fixable: counts, total: vulnerabilities.length },
    },
  }));
  return `/api/staging/jobs/${id}`;
}

async function feedOf(file: Uint8Array): Promise<void> {
  const at = new Date();
  const event = systemEvent({
    event: 'feeds.updated',
    outcome: 'success',
    actor: { id: null, name: 'worker' },
    action: 'update',
    resource: null,
    detail: {},
  });
  const read = { source: 'import', validator: null, at };
  await api.store.feeds.replace(await parseFeedFile(file, at), read, event);
  await publishChange(api.redis, 'settings');
}

async function listed(client: Client, query = '') {
  const reply = await client.get(`/api/vulnerabilities?${query}`);
  expect(reply.status).toBe(200);
  return await reply.json();
}

/** The ends of the ids of all pages. */
async function paged(query: string): Promise<string> {
  let next: string | undefined = `/api/vulnerabilities?${query}`;
  let ids = '';
  while (next !== undefined) {
    const reply: Response = await admin.get(next);
    ids += idsOf(await reply.json());
    next = /<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1];
  }
  return ids;
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id.slice(-1)).join('');

describe('the list of vulnerabilities', () => {
  it('has the most severe first, then those of the most images', async () => {
    const all = await listed(admin);
    expect(idsOf(all)).toBe('1234');
    expect(all[1]).toMatchObject({
      severity: 'HIGH',
      title: 'A fault of zlib',
      packages: ['zlib'],
      fixed_versions: ['1.1'],
      images: 3,
      folders: ['secret', 'team'],
      first_seen_at: OLD.toISOString(),
      kev: null,
      epss: null,
      waivers: 0,
    });
  });

  it('counts only images that the caller may pull', async () => {
    const [openssl] = await listed(alice);
    expect(openssl).toMatchObject({ images: 1, folders: ['team'] });
    expect(await listed(alice, 'folder=secret')).toEqual([]);
  });

  it.each([
    ['a part of the id', 'q=cve-2026-0002', '2'],
    ['a part of a package', 'q=SSL', '1'],
    ['text with a wildcard of SQL', 'q=%25', ''],
    ['a severity', 'severity=HIGH', '23'],
    ['a fix', 'fixable=true', '123'],
    ['no fix', 'fixable=false', '4'],
    ['a folder', 'folder=secret', '12'],
    ['the first sight', `since=${new Date(Date.now() - DAY_MS).toISOString()}`, ''],
  ])('is filtered by %s', async (_, query, ids) => {
    expect(idsOf(await listed(admin, query))).toBe(ids);
  });

  it('is paged without gaps', async () => {
    expect(await paged('limit=1')).toBe('1234');
  });

  it.each([
    ['-severity', '1234'],
    ['severity', '4231'],
    ['-images', '2134'],
    ['images', '3412'],
    ['-first_seen_at', '3412'],
    ['first_seen_at', '1234'],
    ['-id', '4321'],
    ['id', '1234'],
    ['-epss', '1234'],
    ['epss', '1234'],
  ])(
    'is sorted by %s over its pages, and equal ones are the most severe first',
    async (by, ids) => {
      expect(await paged(`sort=${by}&limit=2`)).toBe(ids);
    },
  );

  it('takes no cursor of another order', async () => {
    const reply = await admin.get('/api/vulnerabilities?sort=id&limit=1');
    const cursor = /cursor=([^&>]+)/.exec(reply.headers.get('link') ?? '')?.[1];
    const other = admin.get(`/api/vulnerabilities?sort=-id&cursor=${cursor}`);
    expect(await codeOf(other)).toEqual([422, 'CURSOR_INVALID']);
  });

  it.each([
    ['first_seen_at', '["first_seen_at",-8640000000000000,1,1,"x"]'],
    ['epss', '["epss",1e999,1,1,"x"]'],
  ])('takes no cursor of %s with a value that no list gave', async (sort, place) => {
    const cursor = Buffer.from(place).toString('base64url');
    const asked = admin.get(`/api/vulnerabilities?sort=${sort}&cursor=${cursor}`);
    expect(await codeOf(asked)).toEqual([422, 'CURSOR_INVALID']);
  });

  it('refuses another order, and names those that there are', async () => {
    const reply = await admin.get('/api/vulnerabilities?sort=cvss');
    expect(reply.status).toBe(422);
    expect((await reply.json()).errors).toMatchObject([
      { path: 'sort', params: { choices: expect.stringContaining('-first_seen_at') } },
    ]);
  });

  it.each(['severity=SEVERE', 'since=yesterday', 'cursor=WyJhIl0', 'kev=false', 'min_epss=2'])(
    'refuses %s',
    async (query) => {
      expect((await admin.get(`/api/vulnerabilities?${query}`)).status).toBe(422);
    },
  );

  it('is filtered by what the feeds know, and is empty without them', async () => {
    // As the worker that judges images writes it.
    const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
    await sql.query(
      `INSERT INTO known_vulnerabilities
       SELECT vulnerability, min(first_seen_at) FROM image_findings GROUP BY vulnerability`,
    );
    await sql.query(
      `INSERT INTO standing_runs (id, attempts, filled_at)
       VALUES ('current', 1, now() - interval '30 days') ON CONFLICT (id)
       DO UPDATE SET filled_at = excluded.filled_at`,
    );
    await sql.end();
    expect(await listed(admin, 'kev=true')).toEqual([]);
    expect(await listed(admin, 'min_epss=0')).toEqual([]);
    await feedOf(kevFile(['CVE-2026-0002', 'CVE-2020-0001']));
    await feedOf(
      epssFile([
        ['CVE-2026-0001', 0.5],
        ['CVE-2026-0003', 0.04],
      ]),
    );
    await expect.poll(async () => idsOf(await listed(admin, 'kev=true'))).toBe('2');
    await expect.poll(async () => idsOf(await listed(admin, 'min_epss=0.04'))).toBe('13');
    expect(idsOf(await listed(admin, 'min_epss=0.041'))).toBe('1');
    expect(await listed(admin, 'kev=true&min_epss=0.04')).toEqual([]);
  });

  it.each([
    ['-epss', '1324'],
    ['epss', '2431'],
    ['-epss&min_epss=0.01', '13'],
    ['-risk', '2134'],
    ['risk', '4312'],
  ])('is sorted by %s, and those without a probability count as the least', async (by, ids) => {
    expect(await paged(`limit=2&sort=${by}`)).toBe(ids);
  });

  it('has what is exploited first, then by EPSS, before the severity', async () => {
    expect(await paged('limit=1')).toBe('2134');
    expect(await paged('limit=1&folder=team')).toBe('2134');
    expect(await paged('limit=1&severity=HIGH')).toBe('23');
  });

  it('is the order of what is new, which says how many there are', async () => {
    const since = new Date(Date.now() - 6 * DAY_MS).toISOString();
    const changes = await json(admin.get(`/api/gate/changes?since=${since}`));
    const news = changes.vulnerabilities as { vulnerability: string }[];
    expect(idsOf(news.map(({ vulnerability: id }) => ({ id })))).toBe('2134');
    expect(changes).toMatchObject({
      vulnerabilities: [
        { kev: true, epss: null, images: 3 },
        { kev: false, epss: 0.5 },
        { kev: false, epss: 0.04 },
        { kev: false, epss: null },
      ],
      vulnerabilities_total: 4,
    });
    const mine = await json(alice.get(`/api/gate/changes?since=${since}`));
    expect(mine.vulnerabilities[0]).toMatchObject({ vulnerability: 'CVE-2026-0002', images: 2 });
    // The list that the overview leads to has the same ones.
    expect(idsOf(await listed(admin, `since=${since}`))).toBe('2134');
  });

  it('a moved tag makes nothing new: the first sight in any tagged image counts', async () => {
    await scanned('team/moved', [vulnerability('CVE-2026-0004', 'low', 'LOW')], new Date());
    const since = new Date(Date.now() - DAY_MS).toISOString();
    expect(idsOf(await listed(admin, `since=${since}&folder=team`))).toBe('');
  });

  it('shares what the feeds know with the findings of a job', async () => {
    const found = [vulnerability('CVE-2026-0001', 'openssl', 'CRITICAL')];
    found.push(vulnerability('CVE-2026-0002', 'zlib', 'HIGH'));
    const job: Job = await json(admin.get(await jobWith(found)));
    expect(job.vuln_result?.vulnerabilities).toMatchObject([
      { id: 'CVE-2026-0001', kev: false, epss: 0.5 },
      { id: 'CVE-2026-0002', kev: true, epss: null },
    ]);
  });

  it('is exported as CSV, in the same order, for the same caller', async () => {
    await scanned('team/odd', [vulnerability('CVE-2026-0008', '=cmd|"x"', 'LOW')]);
    const csvOf = async (client: Client, query = '') => {
      const reply = await client.get(`/api/vulnerabilities/export?${query}`);
      const { status, headers } = reply;
      expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="vulnerabilities-\d{4}-\d\d-\d\d\.csv"$/,
      );
      return (await reply.text()).split('\r\n').slice(0, -1);
    };
    const [headings, ...lines] = await csvOf(admin);
    expect(headings).toMatch(/^"id","severity","kev","epss","title"/);
    const ids = lines.map((line) => ({ id: line.split(',')[0]?.slice(1, -1) ?? '' }));
    expect(idsOf(ids)).toBe(idsOf(await listed(admin)));
    expect(lines[0]).toMatch(/^"CVE-2026-0002","HIGH",true,,"A fault of zlib","zlib","1.1",3,/);
    expect(lines.find((line) => line.startsWith('"CVE-2026-0008"'))).toContain(`"'=cmd|""x"""`);
    expect(await csvOf(alice, 'folder=secret')).toEqual([headings]);
    expect((await admin.get('/api/vulnerabilities/export?limit=1')).status).toBe(422);
  });

  it('keeps the first sight of a vulnerability through later reports', async () => {
    const old = vulnerability('CVE-2026-0005', 'aged', 'MEDIUM');
    const digest = await scanned('team/aged', [old]);
    const fresh = vulnerability('CVE-2026-0006', 'fresh', 'MEDIUM');
    const report = reportOf([old, fresh]);
    await api.store.reports.record({ digest, report, scannedAt: new Date() });
    const since = new Date(Date.now() - DAY_MS).toISOString();
    expect(idsOf(await listed(admin, `since=${since}`))).toBe('6');
    const [aged] = await listed(admin, 'q=aged');
    expect(aged.first_seen_at).toBe(OLD.toISOString());
  });
});

describe('a vulnerability', () => {
  it('has its images with their verdicts, limited to what the caller may pull', async () => {
    const reply = await alice.get('/api/vulnerabilities/CVE-2026-0001');
    expect(await json(reply)).toMatchObject({
      id: 'CVE-2026-0001',
      vulnerability: { images: 1 },
      images: [
        {
          repository: 'team/one',
          tags: ['1'],
          tag_count: 1,
          verdict: 'blocked',
          installed_version: '1.0',
          fixed_version: '1.1',
          waivers: [],
        },
      ],
      owners: [{ folder: 'team', accounts: ['bob'] }],
    });
  });

  it('has no images where the caller may pull none', async () => {
    const reply = await alice.get('/api/vulnerabilities/CVE-1999-0001');
    expect([reply.status, await reply.json()]).toEqual([
      200,
      {
        ...{ id: 'CVE-1999-0001', vulnerability: null, advisory: null, kev_added: null },
        ...{
          exposure: { places: [], staged: 0 },
          staged: [],
          affected: [],
          images: [],
          owners: [],
        },
      },
    ]);
  });

  it('names the waivers in force that cover a finding', async () => {
    const { id } = await api.store.waivers.insertWaiver({
      vulnerability: 'CVE-2026-0003',
      package: null,
      packageVersion: null,
      repository: null,
      digest: null,
      folder: 'team',
      status: 'accepted',
      justification: null,
      reason: 'not reachable',
      ticket: null,
      vexDocument: null,
      requestedById: adminId,
      expiresAt: new Date(Date.now() + DAY_MS),
    });
    const reviewerId = await api.account('reviewer', { canBypassVulnBlock: true });
    await api.grant(reviewerId, 'team', { canPull: true });
    const reviewer = await api.as('reviewer');
    expect((await reviewer.post(`/api/waivers/${id}/approve`)).status).toBe(200);
    const shown = await json(alice.get('/api/vulnerabilities/CVE-2026-0003'));
    expect(shown).toMatchObject({
      vulnerability: { waivers: 1 },
      images: [{ repository: 'team/two', waivers: [{ id, approved_by: ['reviewer'] }] }],
    });
  });
});

it('counts all tags of an image, of which it names the first twenty', async () => {
  const digest = await scanned('team/many', [vulnerability('CVE-2026-0077', 'many', 'LOW')]);
  for (let tag = 2; tag <= 25; tag++) {
    const at = new Date();
    const repository = 'team/many';
    await api.store.images.record({ repository, tag: String(tag), digest, manifests: [], at });
  }
  const reply = await alice.get('/api/vulnerabilities/CVE-2026-0077');
  const { images } = (await json(reply)) as { images: { tags: string[]; tag_count: number }[] };
  expect(images.map(({ tags, tag_count: count }) => [tags.length, count])).toEqual([[20, 25]]);
});
