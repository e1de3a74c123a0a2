/** `GET /staging/jobs/{job_id}/passing-tags`: what to use in place of a blocked image. */
import { DEFAULT_POLICY, judge, type ScanReport } from '@portcullis/domain';
import { publishChange } from '@portcullis/events';
import type { NewJob } from '@portcullis/store';
import { json } from '@portcullis/testing';
import { sampleReport } from '@portcullis/testing/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, stagedAs, startApi, type TestApi } from '../../api.fixture.ts';

const HOST = { kind: 'host', registryId: null, host: 'registry.example' } as const;

let api: TestApi;
let ids: Record<'ada' | 'bob', string>;
let ada: Client;
let root: Client;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  ids = { ada: await api.account('ada'), bob: await api.account('bob') };
  [root, ada] = [await api.as('root'), await api.as('ada')];
  const flags = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };
  for (const folder of ['lax', 'team']) await api.grant(ids.ada, folder, flags);
  await api.grant(ids.bob, 'other', flags);
  const { id } = await json(root.post('/api/policies', { name: 'lax', rules: [] }));
  await root.patch('/api/folders/lax', { policy_id: id });
  await publishChange(api.redis, 'gate');
});
afterAll(() => api?.stop());

const blocked = (): ScanReport => sampleReport([{ id: 'CVE-2026-1001', package: 'openssl' }]);
const harmless = (): ScanReport =>
  sampleReport([{ id: 'CVE-2026-1002', package: 'zlib', severity: 'LOW' }]);

let judgedJobs = 0;

/** As a worker leaves a job after its scan. */
async function judged(
  image: string,
  tag: string,
  report: ScanReport,
  more: Partial<NewJob> = {},
): Promise<string> {
  const id = `0199d1f0-0000-7000-8000-${String(++judgedJobs).padStart(12, '0')}`;
  const job = { id, ownerId: ids.ada, image, tag, source: HOST, ...more };
  await api.store.jobs.insert(job);
  await api.store.jobs.update(id, (row) => {
    const { verdict, result } = judge(report, DEFAULT_POLICY, row.overrides);
    const digest = `sha256:${judgedJobs.toString(16).padStart(64, '0')}`;
    return { ...stagedAs(verdict)(row), digest, vulnResult: result };
  });
  return id;
}

const passing = (id: string, query = {}, client = ada) =>
  client.get(`/api/staging/jobs/${id}/passing-tags?${new URLSearchParams(query)}`);

const tagsOf = async (id: string, query = {}, client = ada): Promise<string[]> =>
  (await json(passing(id, query, client))).tags.map(({ tag }: { tag: string }) => tag);

it('names the nearest tags that pass, with their newest job and what they have', async () => {
  const id = await judged('lib/app', '1.27.3', blocked());
  await judged('lib/app', '1.27.4', blocked());
  await judged('lib/app', '1.27.5', blocked());
  const again = await judged('lib/app', '1.27.5', harmless());
  await judged('lib/app', '1.29.0', harmless());
  await judged('lib/app', '1.26.0', harmless());
  await judged('lib/app', '1.25.0', harmless());
  const answer = await json(passing(id));
  expect(answer).toMatchObject({ judged: 5 });
  expect(answer.tags[0]).toEqual({
    tag: '1.27.5',
    digest: expect.stringMatching(/^sha256:/),
    job_id: again,
    counts: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 1, UNKNOWN: 0 },
    allowed_until: null,
  });
  expect(await tagsOf(id)).toEqual(['1.27.5', '1.29.0', '1.26.0']);
});

it('judges for the destination, not for the scan settings', async () => {
  const id = await judged('lib/place', '1.0.0', blocked());
  await judged('lib/place', '1.1.0', blocked());
  expect(await tagsOf(id)).toEqual([]);
  expect(await tagsOf(id, { folder: 'team' })).toEqual([]);
  expect(await tagsOf(id, { folder: 'lax' })).toEqual(['1.1.0']);
  const host = 'localhost';
  const place = { kind: 'local', registryId: '__local__', host, folder: 'lax' } as const;
  const destination = { ...place, repository: 'lax/place', tag: '1' };
  const meant = await judged('lib/place', '1.0.2', blocked(), { destination });
  expect(await tagsOf(meant)).toEqual(['1.1.0', '1.0.0']);
});

it('says until when a waiver lets a tag pass', async () => {
  const id = await judged('lib/waived', '1.0.0', blocked());
  await judged('lib/waived', '1.0.1', blocked());
  const expiresAt = new Date(Date.now() + 86_400_000);
  const waiver = await api.store.waivers.insertWaiver({
    ...{ vulnerability: 'CVE-2026-1001', package: null, packageVersion: null, digest: null },
    ...{ folder: 'team', repository: 'team/waived', status: 'accepted', justification: null },
    ...{ reason: 'not reachable', ticket: null, vexDocument: null },
    ...{ requestedById: ids.ada, expiresAt },
  });
  await api.store.waivers.save({ ...waiver, state: 'approved' });
  await publishChange(api.redis, 'gate');
  await expect
    .poll(async () => (await json(passing(id, { folder: 'team' }))).tags)
    .toMatchObject([{ tag: '1.0.1', allowed_until: expiresAt.toISOString() }]);
});

describe('a tag is not named', () => {
  it.each<[string, Partial<NewJob>]>([
    ['of another registry', { source: { ...HOST, host: 'other.example' } }],
    ['of other platforms', { platforms: ['linux/arm64'] }],
  ])('%s', async (difference, more) => {
    const image = `lib/${difference.replaceAll(' ', '-')}`;
    const id = await judged(image, '1.0.0', blocked());
    await judged(image, '1.0.1', harmless(), more);
    expect(await json(passing(id))).toEqual({ tags: [], judged: 0 });
  });

  it('that only another account has judged, but for administrators', async () => {
    const id = await judged('lib/secret', '1.0.0', blocked());
    await judged('lib/secret', '1.0.1', harmless(), { ownerId: ids.bob });
    expect(await tagsOf(id)).toEqual([]);
    expect(await tagsOf(id, {}, root)).toEqual(['1.0.1']);
  });

  it('that was not judged, or could not be', async () => {
    const id = await judged('lib/unjudged', '1.0.0', blocked());
    await api.store.jobs.insert({
      ownerId: ids.ada,
      image: 'lib/unjudged',
      tag: '2',
      source: HOST,
    });
    await judged('lib/unjudged', '3.0.0', { ...blocked(), coverage: 'none' });
    expect(await tagsOf(id)).toEqual([]);
  });
});

it('a job or a destination that the caller may not use is refused', async () => {
  const id = await judged('lib/rights', '1.0.0', blocked());
  const bobs = await judged('lib/rights', '1.0.1', blocked(), { ownerId: ids.bob });
  expect(await codeOf(passing(bobs))).toEqual([404, 'JOB_UNKNOWN']);
  expect(await codeOf(passing(id, { folder: 'other' }))).toEqual([403, 'FOLDER_FORBIDDEN']);
  expect(await codeOf(passing(id, { folder: 'absent' }))).toEqual([403, 'FOLDER_FORBIDDEN']);
});
