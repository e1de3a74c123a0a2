/**
 * In a mirror the first pull is the request: accounts that bring images in ask for reviews and
 * waivers there, at every door, and gain nothing else.
 */
import { DEFAULT_POLICY, judge, LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { json, openSql } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, startApi, type TestApi } from '../../../api.fixture.ts';
import { reportWith } from '../../../registry/gate/report.fixture.ts';

let api: TestApi;
const clients: Record<string, Client> = {};
let upstream: string;

const BRINGS = { canPull: true, canPullExternal: true };
const NAMES = ['root', 'rita', 'dev', 'second', 'reader', 'outsider'] as const;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_ENABLED: 'false' });
  await api.account('root', { isAdmin: true });
  const rita = await api.account('rita', { canBypassVulnBlock: true });
  const [dev, second, reader, outsider] = await Promise.all(
    ['dev', 'second', 'reader', 'outsider'].map((name) => api.account(name)),
  );
  await api.grant(second ?? '', 'up', BRINGS);
  for (const folder of ['up', 'plain', 'ends']) {
    await api.grant(rita, folder, { canPull: true });
    await api.grant(dev ?? '', folder, BRINGS);
    await api.grant(reader ?? '', folder, { canPull: true });
  }
  await api.grant(outsider ?? '', 'else', { ...BRINGS, canPush: true });
  for (const name of NAMES) clients[name] = await api.as(name);
  const host = 'registry.example.com';
  upstream = (await api.store.registries.insert({ name: host, host, ownerId: null })).id;
  for (const folder of ['up', 'ends']) await mirror(folder, { registry_id: upstream });
});
afterAll(() => api?.stop());

function by(name: string): Client {
  const client = clients[name];
  if (!client) throw new Error(`no client ${name}`);
  return client;
}

const mirror = (folder: string, to: object | null) =>
  by('root').patch(`/api/folders/${folder}`, { mirror: to });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

let images = 0;

/** The job by which an account brought an image in that the policy blocks. */
async function refusedJob(name: string, folder: string, cve = 'CVE-2026-1'): Promise<string> {
  const { id } = await json(by(name).get('/api/auth/me'));
  return jobOf(id, folder, cve);
}

async function jobOf(ownerId: string, folder: string, cve = 'CVE-2026-1'): Promise<string> {
  images += 1;
  const host = 'registry.example.com';
  const source = { kind: 'registry', registryId: upstream, host } as const;
  const job = await api.store.jobs.insert({ ownerId, image: 'app', tag: '1', source });
  const report = reportWith([{ id: cve, severity: 'CRITICAL' }]);
  const overrides = { vulnScanEnabled: null, vulnSeverities: null };
  const { verdict, result } = judge(report, DEFAULT_POLICY, overrides);
  const place = {
    kind: 'local',
    registryId: LOCAL_REGISTRY_ID,
    host: 'here',
    repository: `${folder}/app`,
  };
  await api.store.jobs.update(job.id, (row) => ({
    ...row,
    ...{ status: 'failed', verdict, vulnResult: result, size: 1 },
    error: { code: 'VULN_BLOCKED', message: 'blocked', side: null, retryable: false },
    digest: `sha256:${String(images).padStart(64, '0')}`,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    destination: { ...place, kind: 'local', folder, tag: '1' },
  }));
  return job.id;
}

const review = (job_id: string, folder: string) => ({
  ...{ job_id, target_image: 'app', target_tag: '1', folder, reason: 'why', until: inDays(9) },
  push_when_approved: true,
});
const waiver = (folder: string | null) => ({
  ...{ vulnerability: 'CVE-2026-1', folder, status: 'accepted', reason: 'why' },
  expires_at: inDays(9),
});
const VEX = {
  ...{ '@context': 'https://openvex.dev/ns/v0.2.0', '@id': 'https://example.com/vex/1' },
  ...{ author: 'vendor', timestamp: '2026-01-01T00:00:00Z', version: 1 },
  statements: [
    {
      vulnerability: { name: 'CVE-2026-9' },
      products: [{ '@id': `pkg:oci/app@sha256%3A${'e'.repeat(64)}` }],
      ...{ status: 'not_affected', justification: 'vulnerable_code_not_present' },
    },
  ],
};
const importVex = (name: string, folder: string) =>
  by(name).post(`/api/waivers/vex?folder=${folder}&days=9`, VEX);

describe('an account that brings images in', () => {
  it('asks for a review of what was refused, which is approved and never pushed', async () => {
    const job = await refusedJob('dev', 'up');
    const asked = await by('dev').post('/api/reviews', review(job, 'up'));
    const { number, push } = await json(asked);
    expect([asked.status, push]).toEqual([201, null]);
    expect((await codeOf(by('dev').post(`/api/reviews/${number}/decision`, approve)))[1]).toBe(
      'WAIVER_FORBIDDEN',
    );
    const decided = await by('rita').post(`/api/reviews/${number}/decision`, approve);
    expect(await json(decided)).toMatchObject({ state: 'approved', push: null });
    expect(await inForce('up')).toMatchObject([{ vulnerability: 'CVE-2026-1', in_force: true }]);
    expect(await json(by('dev').get(`/api/staging/jobs/${job}`))).toMatchObject({
      standing: { state: 'allowed', destination: { folder: 'up' } },
    });
  });

  it('asks about what another account pulled first, whose job it does not see', async () => {
    const job = await refusedJob('dev', 'up', 'CVE-2026-5');
    const digest = `sha256:${'c'.repeat(64)}`;
    await api.store.jobs.update(job, (row) => ({ ...row, sourceDigest: digest }));
    const place = { repository: 'up/app', reference: 'joined' };
    const answer = { answer: { digest }, isTag: true, dueSeconds: 3600 };
    await api.store.mirrors.answered(place, answer);
    const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
    await sql.query(`UPDATE mirror_tags SET job_id = $1 WHERE reference = 'joined'`, [job]);
    await sql.end();
    const wanted = { ...review(job, 'up'), job_id: undefined, target_tag: 'joined' };
    expect(await codeOf(by('reader').post('/api/reviews', wanted))).toEqual([
      403,
      'FOLDER_FORBIDDEN',
    ]);
    const asked = await json(by('second').post('/api/reviews', wanted));
    expect(asked).toMatchObject({ job_id: null, changed: null, push: null, findings_total: 1 });
    const detail = await json(by('rita').get(`/api/reviews/${asked.number}`));
    expect(detail).toMatchObject({ job_id: job, decision: { code: 'VULN_BLOCKED' } });
    await by('rita').post(`/api/reviews/${asked.number}/decision`, approve);
    expect(await json(by('dev').get(`/api/staging/jobs/${job}`))).toMatchObject({
      standing: { state: 'allowed' },
      reviews: [{ number: asked.number, state: 'approved' }],
    });
    const missing = { ...wanted, target_tag: 'other' };
    expect(await codeOf(by('second').post('/api/reviews', missing))).toEqual([
      404,
      'IMAGE_UNKNOWN',
    ]);
  });

  it('requests waivers, one by one and by a document, and is offered the folder', async () => {
    expect((await by('dev').post('/api/waivers', waiver('up'))).status).toBe(201);
    expect((await importVex('dev', 'up')).status).toBe(200);
    expect(await json(by('dev').get('/api/folders/askable'))).toEqual(['ends', 'up']);
    expect(await json(by('reader').get('/api/folders/askable'))).toEqual([]);
    expect(await json(by('outsider').get('/api/folders/askable'))).toEqual(['else']);
    expect(await json(by('root').get('/api/folders/askable'))).toContain('up');
  });

  it.each([
    ['a folder that is no mirror', 'dev', 'plain'],
    ['the mirror, without that right', 'reader', 'up'],
    ['the mirror, with that right on another folder', 'outsider', 'up'],
    ['all folders', 'dev', null],
  ])('is refused what is for %s', async (_, name, folder) => {
    const refused = [403, 'WAIVER_FORBIDDEN'];
    expect(await codeOf(by(name).post('/api/waivers', waiver(folder)))).toEqual(refused);
    if (folder === null) return;
    expect(await codeOf(importVex(name, folder))).toEqual(refused);
    const job = await refusedJob(name, folder);
    expect(await codeOf(by(name).post('/api/reviews', review(job, folder)))).toEqual([
      403,
      'FOLDER_FORBIDDEN',
    ]);
  });

  it('deletes nothing there', async () => {
    const path = `/api/images/${LOCAL_REGISTRY_ID}/tags?repository=up/app&tag=1`;
    expect((await codeOf(by('dev').delete(path)))[1]).toBe('FOLDER_FORBIDDEN');
  });
});

describe('a token', () => {
  async function asked(token: string, path: string, body?: object) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    return fetch(`${api.url}/api${path}`, { headers, ...sent });
  }
  const scope = (folders: string[], actions: string[]) => ({ folders, actions, api: true });

  it.each([
    ['to bring in and to ask', scope(['up'], ['waive', 'pull_external']), ['up'], 201],
    ['to ask alone', scope(['up'], ['waive']), [], 403],
    ['of another folder', scope(['plain'], ['waive', 'pull_external']), [], 403],
    ['to bring in alone', scope(['up'], ['pull_external']), ['up'], 403],
  ])('%s', async (_, limits, askable, status) => {
    const body = { name: 'ci', scope: limits };
    const { token } = await json(by('dev').post('/api/auth/tokens', body));
    expect(await json(asked(token, '/folders/askable'))).toEqual(askable);
    const wanted = { ...waiver('up'), vulnerability: 'CVE-2026-7' };
    expect((await asked(token, '/waivers', wanted)).status).toBe(status);
  });

  it('of a robot that brings in asks for nothing', async () => {
    const group = await api.store.groups.insertGroup({ name: 'machines' });
    const { id } = await api.store.folders.get('up');
    await api.store.folders.grant(id, group.id, BRINGS);
    const order = { name: 'puller', owner_group_id: null, group_ids: [group.id] };
    const robot = await json(by('root').post('/api/robots', order));
    const body = { name: 'ci', scope: 'api', expires_in_days: 9 };
    const { token } = await json(by('root').post(`/api/robots/${robot.id}/tokens`, body));
    expect(await json(asked(token, '/folders/askable'))).toEqual([]);
    const refused = [403, 'WAIVER_FORBIDDEN'];
    expect(await codeOf(asked(token, '/waivers', waiver('up')))).toEqual(refused);
    const job = await jobOf(robot.id, 'up');
    expect(await codeOf(asked(token, '/reviews', review(job, 'up')))).toEqual(refused);
  });
});

it('a folder that ends to be a mirror ends what those accounts asked for', async () => {
  const { id } = await json(by('dev').post('/api/waivers', waiver('ends')));
  expect((await by('rita').post(`/api/waivers/${id}/approve`)).status).toBe(200);
  expect(await inForce('ends')).toMatchObject([{ in_force: true }]);
  // The gate that is kept in memory hears of it as well.
  const waived = await refusedJob('dev', 'ends');
  const stands = async () =>
    (await json(by('root').get(`/api/staging/jobs/${waived}`))).standing.state;
  expect(await stands()).toBe('allowed');
  const job = await refusedJob('dev', 'ends', 'CVE-2026-2');
  const { number } = await json(by('dev').post('/api/reviews', review(job, 'ends')));
  await mirror('ends', null);
  expect(await inForce('ends')).toMatchObject([{ in_force: false }]);
  expect(await stands()).toBe('blocked');
  expect(await codeOf(by('rita').post(`/api/reviews/${number}/decision`, approve))).toEqual([
    409,
    'WAIVER_REQUESTER_FORBIDDEN',
  ]);
  expect(await json(by('dev').get('/api/folders/askable'))).toEqual(['up']);
});

const approve = { decision: 'approve' };
const inForce = async (folder: string) =>
  json(by('rita').get(`/api/waivers?state=approved&folder=${folder}`));
