/**
 * What a mirror has comes from its upstream alone: no account pushes to it, through no door, and
 * nothing of what it would push is stored.
 */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { buildImage, json, pushImage, refusal, skopeo, temporaryDir } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  codeOf,
  published,
  stagedAs,
  startApi,
  type TestApi,
} from '../../../api.fixture.ts';

let api: TestApi;
let root: Client;
let dev: Client;
let job: string;

const FLAGS = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };
const REASON =
  'The folder up is a mirror of registry.example.com: its images come from there alone, at their first pull. Push to another folder';

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  const devId = await api.account('dev');
  [root, dev] = await Promise.all([api.as('root'), api.as('dev')]);
  await api.grant(devId, 'team', FLAGS);
  await api.grant(devId, 'up', FLAGS);
  await pushImage(
    api.registry.url,
    'team/app',
    '1',
    await buildImage({ layers: [{ 'a.txt': 'a' }] }),
  );
  await pushImage(
    api.registry.url,
    'up/app',
    '1',
    await buildImage({ layers: [{ 'a.txt': 'a' }] }),
  );
  const source = { kind: 'registry', registryId: LOCAL_REGISTRY_ID, host: 'here' } as const;
  const made = await api.store.jobs.insert({ ownerId: devId, image: 'team/app', tag: '1', source });
  job = made.id;
  await api.store.jobs.update(job, stagedAs('clean'));
  const host = 'registry.example.com';
  const { id } = await api.store.registries.insert({ name: host, host, ownerId: null });
  await root.patch('/api/folders/up', { mirror: { registry_id: id } });
});
afterAll(() => api?.stop());

const images = `/api/images/${LOCAL_REGISTRY_ID}`;
const push = () => ({ job_id: job, target_image: 'app', target_tag: '2', folder: 'up' });
const transfer = {
  ...{ images: [{ repository: 'team/app', tag: '1' }], dest_folder: 'up' },
  source_registry_id: LOCAL_REGISTRY_ID,
};
const schedule = { name: 'nightly', cron: '0 3 * * *', ...transfer };
const copied = { source_repository: 'team/app', source_tag: '1', dest_repository: 'up/copy' };
const pulled = {
  ...{ image: 'team/app', tag: '1', source_registry_id: LOCAL_REGISTRY_ID },
  destination: { target_image: 'app', target_tag: '2', folder: 'up' },
};
const retag = { source_tag: '1', new_tag: '2' };

const DOORS: [string, (by: Client) => Promise<Response>][] = [
  ['a push of a staged image', (by) => by.post('/api/staging/push', push())],
  ['a pull with that destination', (by) => by.post('/api/staging/pull', pulled)],
  ['a transfer', (by) => by.post('/api/transfer', transfer)],
  ['a schedule', (by) => by.post('/api/transfer/schedules', schedule)],
  ['a copy', (by) => by.post('/api/images/copy', copied)],
  ['a new tag', (by) => by.post(`${images}/tags?repository=up/app`, retag)],
];

describe('to a mirror is refused, to an administrator as well:', () => {
  it.each(DOORS)('%s', async (_, ask) => {
    for (const [by, example] of [
      [root, '.'],
      [dev, ', such as team.'],
    ] as const) {
      const refused = await ask(by);
      const problem = (await refusal(refused)) as { code: string; detail: string };
      expect([refused.status, problem.code, problem.detail]).toEqual([
        403,
        'MIRROR_READ_ONLY',
        `${REASON}${example}`,
      ]);
    }
  });

  it('a push over /v2, before a byte of it is stored', async () => {
    await using dir = await temporaryDir();
    const to = ['--dest-tls-verify=false', '--dest-creds', 'dev:pass-of-dev'];
    const from = ['--src-tls-verify=false', '--src-creds', 'dev:pass-of-dev'];
    await skopeo('copy', ...from, `docker://${api.host}/team/app:1`, `dir:${dir.path}`);
    const pushed = skopeo('copy', ...to, `dir:${dir.path}`, `docker://${api.host}/up/new:1`);
    await expect(pushed).rejects.toThrow(`${REASON}, such as team.`);
    const authorization = `Basic ${Buffer.from('root:pass-of-root').toString('base64')}`;
    const mount = `mount=sha256:${'a'.repeat(64)}&from=team/app`;
    for (const [method, path] of [
      ['POST', 'up/new/blobs/uploads/'],
      ['POST', `up/new/blobs/uploads/?${mount}`],
      ['PATCH', 'up/new/blobs/uploads/0190a1b2-0000-7000-8000-00000000000a'],
      ['PUT', 'up/new/manifests/1'],
    ] as const) {
      const refused = await fetch(`${api.url}/v2/${path}`, { method, headers: { authorization } });
      expect([method, refused.status, await refusal(refused)]).toMatchObject([
        method,
        403,
        { errors: [{ code: 'DENIED', detail: { code: 'MIRROR_READ_ONLY' } }] },
      ]);
    }
    const repositories = await fetch(`${api.registry.url}/v2/_catalog`);
    expect((await json(repositories)).repositories).not.toContain('up/new');
    const events = await published(api, 50);
    expect(
      events.filter(({ detail }) => (detail as { code?: string })?.code === 'MIRROR_READ_ONLY'),
    ).not.toEqual([]);
  });
});

it('shows before a push that it would be refused, and offers no mirror as its folder', async () => {
  const { job_id, ...rest } = push();
  const query = new URLSearchParams({ job_id, ...rest });
  const preview = await json(dev.get(`/api/staging/push/preview?${query}`));
  expect(preview).toMatchObject({ allowed: false, code: 'MIRROR_READ_ONLY' });
  expect(await json(dev.get('/api/folders/pushable'))).toEqual(['team']);
  expect(await json(dev.get('/api/folders/writable'))).toEqual(['team', 'up']);
  expect(await json(root.get('/api/folders/pushable'))).not.toContain('up');
  await api.grant(await api.account('cleaner'), 'up', FLAGS);
  const cleaner = await api.as('cleaner');
  expect(await json(cleaner.get('/api/folders/pushable'))).toEqual([]);
  expect((await json(cleaner.get('/api/auth/me'))).capabilities).toMatchObject({ push: false });
  expect((await json(dev.get('/api/auth/me'))).capabilities).toMatchObject({ push: true });
  const asked = '/api/folders/explain?action=push&repository=up/app&user_id=';
  const { id } = await json(dev.get('/api/auth/me'));
  expect(await json(root.get(`${asked}${id}`))).toMatchObject({
    allowed: false,
    code: 'MIRROR_READ_ONLY',
  });
});

it('what was pushed before the folder became a mirror stays, and may be deleted', async () => {
  const authorization = `Basic ${Buffer.from('dev:pass-of-dev').toString('base64')}`;
  const tags = await fetch(`${api.url}/v2/up/app/tags/list`, { headers: { authorization } });
  expect((await json(tags)).tags).toEqual(['1']);
  const removed = await dev.delete(`${images}/tags?repository=up/app&tag=1`);
  expect([removed.status, removed.status === 204 ? '' : await codeOf(removed)]).toEqual([204, '']);
});
