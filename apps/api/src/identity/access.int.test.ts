/** Access rules 1, 3, 4, 6 and 8 of the decisions, with the real api and registry. */
import { blobOf, json, pushBlob, pushImage, randomImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, stagedAs, startApi, type TestApi } from '../api.fixture.ts';
import { answerOf, basicOf, OCI_MANIFEST } from './requests.fixture.ts';

let api: TestApi;
let admin: Client;
let ann: Client;
let annId: string;
/** A blob that only `other/app` has. */
let digest: string;

const ALL = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  await api.account('eve', { isAdmin: true });
  annId = await api.account('ann');
  await api.grant(annId, 'team', ALL);
  await api.grant(annId, 'mine', ALL);
  await api.store.folders.insertFolder({ name: 'other' });
  [admin, ann] = await Promise.all([api.as('root'), api.as('ann')]);
  const blob = blobOf('application/octet-stream', Buffer.from('what only other/app has'));
  digest = blob.descriptor.digest;
  await pushBlob(api.registry.url, 'other/app', blob);
});
afterAll(() => api?.stop());

function v2(path: string, init: RequestInit = {}, username = 'ann') {
  const headers = { accept: OCI_MANIFEST, ...basicOf(username), ...init.headers };
  return fetch(`${api.url}/v2/${path}`, { redirect: 'manual', ...init, headers });
}

async function staged(image = 'team/app'): Promise<string> {
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const { id } = await api.store.jobs.insert({ ownerId: annId, image, tag: '1', source });
  await api.store.jobs.update(id, stagedAs('clean'));
  return id;
}

describe('rule 1: __root__ and names that begin with _ are no path segments', () => {
  it.each([
    '__root__/app',
    '_x/app',
    'team/__root__/app',
    'team/_x',
    '__root__',
    'Team/app',
    'team//app',
    'team/../other/app',
    '/team/app',
    'team/app/',
    'team/./app',
  ])('%s is no repository for any account', async (repository) => {
    for (const client of [admin, ann]) {
      const pull = { image: repository, tag: '1', source_registry_id: '__local__' };
      expect(await answerOf(client.post('/api/staging/pull', pull))).toEqual([
        422,
        'VALIDATION_FAILED',
      ]);
      const push = { job_id: await staged(), target_image: repository, target_tag: '1' };
      expect(await answerOf(client.post('/api/staging/push', push))).toEqual([
        422,
        'VALIDATION_FAILED',
      ]);
    }
  });

  it('a push whose folder is __root__ adds nothing to the path', async () => {
    const push = {
      job_id: await staged(),
      target_image: 'team/app',
      target_tag: '1',
      folder: '__root__',
    };
    expect(await json(ann.post('/api/staging/push', push))).toMatchObject({
      pushes: [{ target_image: 'team/app' }],
    });
  });
});

describe('rule 3: a blob is mounted only from a repository that the account may read', () => {
  const mount = async (from: string | null, username = 'ann') => {
    const query = `mount=${digest}${from === null ? '' : `&from=${from}`}`;
    return (await v2(`team/app/blobs/uploads/?${query}`, { method: 'POST' }, username)).status;
  };

  it('without can_pull on `from`, or without `from`, it becomes a plain upload', async () => {
    expect(await mount('other/app')).toBe(202);
    expect(await mount(null)).toBe(202);
    expect((await v2(`team/app/blobs/${digest}`)).status).toBe(404);
  });

  it('is served only by repositories that refer to it, until an account with the right mounts it', async () => {
    expect((await v2(`other/app/blobs/${digest}`)).status).toBe(403);
    expect((await v2(`team/app/blobs/${digest}`)).status).toBe(404);
    expect(await mount('other/app', 'root')).toBe(201);
    expect((await v2(`team/app/blobs/${digest}`)).status).toBe(200);
  });
});

describe('rule 4: an upload belongs to the repository and the account that opened it', () => {
  it('continues there and nowhere else', async () => {
    const opened = await v2('team/app/blobs/uploads/', { method: 'POST' });
    const location = new URL(opened.headers.get('location') ?? '', api.url);
    const below = `${location.pathname.slice('/v2/'.length)}${location.search}`;
    const chunk = { method: 'PATCH', body: 'abc' };
    expect((await v2(below, chunk, 'eve')).status).toBe(404);
    expect((await v2(below.replace('team/app', 'mine/app'), chunk)).status).toBe(404);
    expect((await v2(below.replace('team/app', 'mine/app'), { method: 'DELETE' })).status).toBe(
      404,
    );
    expect((await v2(below, chunk)).status).toBe(202);
  });
});

describe('rule 6: the path that is checked is the path that is shown and written', () => {
  it.each<[string, object, object]>([
    ['no folder adds nothing', { target_image: 'team/app' }, { target_image: 'team/app' }],
    ['a folder goes before', { target_image: 'app', folder: 'team' }, { target_image: 'team/app' }],
    [
      'a folder goes before once',
      { target_image: 'team/app', folder: 'team' },
      { target_image: 'team/app' },
    ],
    [
      'a folder goes before another one’s name',
      { target_image: 'mine/app', folder: 'team' },
      { target_image: 'team/mine/app' },
    ],
    [
      'outside, the account replaces the first of two segments',
      {
        target_image: 'team/app',
        external_registry_host: 'ghcr.example',
        external_registry_username: 'acme',
      },
      { destination: 'ghcr.example/acme/app:1' },
    ],
    [
      'outside, one segment stays',
      {
        target_image: 'app',
        external_registry_host: 'ghcr.example',
        external_registry_username: 'acme',
      },
      { destination: 'ghcr.example/app:1' },
    ],
    ...['AWS', '_json_key', 'robot$x', '<token>', 'a/b', '../x'].map(
      (username): [string, object, object] => [
        `outside, the path stays where the account is ${username}`,
        {
          target_image: 'team/app',
          external_registry_host: 'ghcr.example',
          external_registry_username: username,
        },
        { destination: 'ghcr.example/team/app:1' },
      ],
    ),
  ])('%s', async (_, fields, expected) => {
    const order = { job_id: await staged(), target_tag: '1', ...fields };
    const shown = await json(ann.get(`/api/staging/push/preview?${new URLSearchParams(order)}`));
    const secret = 'external_registry_host' in fields ? { external_registry_password: 'x' } : {};
    const { pushes } = await json(ann.post('/api/staging/push', { ...order, ...secret }));
    expect(pushes[0]).toMatchObject(expected);
    expect(pushes[0]).toMatchObject({
      destination: shown.destination,
      target_image: shown.repository,
    });
    expect(shown.allowed).toBe(true);
    const [row] = (await api.store.jobs.get(order.job_id)).pushes;
    expect(row?.repository).toBe(shown.repository);
  });
});

describe('rule 8: a revoked right ends at once, on REST and on /v2, also for earlier tokens', () => {
  /** An account that may pull `<folder>/app`, with every kind of credential. */
  async function puller(name: string) {
    const id = await api.account(name);
    const { id: group } = await json(admin.post('/api/groups', { name }));
    await admin.put(`/api/groups/${group}/members`, { user_id: id });
    await admin.post('/api/folders', { name });
    const permission = { group_id: group, can_pull: true };
    await admin.put(`/api/folders/${name}/permissions`, permission);
    await pushImage(api.registry.url, `${name}/app`, '1', await randomImage());
    const client = await api.as(name);
    const scope = `repository:${name}/app:pull`;
    const { token } = await json(v2(`token?service=${api.host}&scope=${scope}`, {}, name));
    const bearer = { authorization: `Bearer ${token}` };
    const pull = { image: `${name}/app`, tag: '1', source_registry_id: '__local__' };
    const waysIn = async () => [
      (await client.post('/api/staging/pull', pull)).status,
      (await v2(`${name}/app/manifests/1`, {}, name)).status,
      (await v2(`${name}/app/manifests/1`, { headers: bearer }, name)).status,
      (await json(client.get('/api/folders/mine'))).length,
    ];
    return { id, group, name, client, waysIn };
  }
  type Puller = Awaited<ReturnType<typeof puller>>;

  it.each<[string, (puller: Puller) => Promise<Response>]>([
    ['grant', ({ group, name }) => admin.delete(`/api/folders/${name}/permissions/${group}`)],
    [
      'flag',
      ({ group, name }) =>
        admin.put(`/api/folders/${name}/permissions`, { group_id: group, can_push_external: true }),
    ],
    ['membership', ({ group, id }) => admin.delete(`/api/groups/${group}/members/${id}`)],
    ['group', ({ group }) => admin.delete(`/api/groups/${group}`)],
    ['folder', ({ name }) => admin.delete(`/api/folders/${name}?force=true`)],
  ])('a %s', async (what, revoke) => {
    const one = await puller(`revoked-${what}`);
    expect(await one.waysIn()).toEqual([202, 200, 200, 1]);
    expect((await revoke(one)).ok).toBe(true);
    expect(await one.waysIn()).toEqual([403, 403, 403, 0]);
  });

  it('a session', async () => {
    const one = await puller('revoked-session');
    expect((await one.client.post('/api/auth/logout')).status).toBe(204);
    expect((await one.client.get('/api/auth/me')).status).toBe(401);
  });

  it('and a new grant takes effect at once, too', async () => {
    const one = await puller('granted-late');
    await admin.delete(`/api/folders/${one.name}/permissions/${one.group}`);
    expect(await one.waysIn()).toEqual([403, 403, 403, 0]);
    await admin.put(`/api/folders/${one.name}/permissions`, {
      group_id: one.group,
      can_pull: true,
    });
    expect(await one.waysIn()).toEqual([202, 200, 200, 1]);
  });
});
