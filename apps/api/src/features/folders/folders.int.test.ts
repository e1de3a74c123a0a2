import { watchChanges } from '@portcullis/events';
import { json, pushImage, randomImage, refusal } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, codeOf, published, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let admin: Client;
let ann: Client;
let annId: string;
let rootId: string;

beforeAll(async () => {
  api = await startApi();
  rootId = await api.account('root', { isAdmin: true });
  annId = await api.account('ann');
  [admin, ann] = await Promise.all([api.as('root'), api.as('ann')]);
});
afterAll(() => api?.stop());

const NONE = {
  can_pull: false,
  can_push: false,
  can_pull_external: false,
  can_push_external: false,
};

/** A separate group with the account as its member. */
async function groupOf(userId: string, name: string): Promise<string> {
  const { id } = await json(admin.post('/api/groups', { name }));
  await admin.put(`/api/groups/${id}/members`, { user_id: userId });
  return id;
}

function pullsAs(username: string, repository: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${username}:pass-of-${username}`).toString('base64')}`;
  const accept = 'application/vnd.oci.image.manifest.v1+json';
  const url = `${api.url}/v2/${repository}/manifests/1`;
  return fetch(url, { headers: { authorization, accept } }).then(({ status }) => status);
}

describe('a folder', () => {
  it('is created under its normalized name, and found by its id and its name', async () => {
    const made = await admin.post('/api/folders', { name: ' Team-A ', description: 'ours' });
    const body = await json(made);
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/folders/${body.id}`]);
    expect(body).toMatchObject({ name: 'team-a', description: 'ours', permissions: [] });
    expect(await json(admin.get(`/api/folders/${body.id}`))).toEqual(body);
    expect(await json(admin.get('/api/folders/team-a'))).toEqual(body);
    expect(await codeOf(admin.post('/api/folders', { name: 'TEAM-A' }))).toEqual([
      409,
      'FOLDER_NAME_TAKEN',
    ]);
    expect(await json(admin.patch('/api/folders/team-a', { description: 'theirs' }))).toEqual({
      ...body,
      description: 'theirs',
    });
    expect(
      await codeOf(admin.patch('/api/folders/team-a', { name: 'b', description: '' })),
    ).toEqual([422, 'VALIDATION_FAILED']);
    expect(await codeOf(admin.get('/api/folders/team-b'))).toEqual([404, 'FOLDER_UNKNOWN']);
  });

  it.each([
    '__root__',
    '_x',
    'a/b',
    'a b',
    '',
    'a--b',
    'ä',
    'x'.repeat(129),
    '0190a1b2-0000-7000-8000-00000000000a',
    'mine',
    'explain',
  ])('cannot be named %j', async (name) => {
    expect(await codeOf(admin.post('/api/folders', { name }))).toEqual([422, 'VALIDATION_FAILED']);
  });

  it('named __root__ can be described and granted, but not deleted', async () => {
    const described = await json(admin.patch('/api/folders/__root__', { description: 'the rest' }));
    expect(described).toMatchObject({ name: '__root__', description: 'the rest' });
    expect(await codeOf(admin.delete('/api/folders/__root__?force=true'))).toEqual([
      403,
      'FOLDER_PROTECTED',
    ]);
    expect(await codeOf(admin.delete(`/api/folders/${described.id}`))).toEqual([
      403,
      'FOLDER_PROTECTED',
    ]);
  });

  it('takes a policy and the modes of its gates, with an audit event of the difference', async () => {
    const rules = [{ severities: ['CRITICAL'] }];
    const policy = await json(admin.post('/api/policies', { name: 'strict', rules }));
    const { id, ...folder } = await json(admin.post('/api/folders', { name: 'gated' }));
    expect(folder).toMatchObject({ policy_id: null, push_gate: 'report', pull_gate: 'off' });
    const change = { policy_id: policy.id, push_gate: 'off', pull_gate: 'enforce' };
    expect(await json(admin.patch('/api/folders/gated', change))).toEqual({
      id,
      ...folder,
      ...change,
    });
    const events = (await published(api, 50)).filter(
      ({ event, resource }) => event === 'folder.update' && resource?.id === id,
    );
    expect(events.map(({ detail }) => detail)).toEqual([
      {
        policy_id: { from: null, to: policy.id },
        policy_name: { from: 'default', to: 'strict' },
        push_gate: { from: 'report', to: 'off' },
        pull_gate: { from: 'off', to: 'enforce' },
      },
    ]);
    const back = await json(
      admin.patch('/api/folders/gated', {
        ...{ policy_id: null, immutable_tags: ['v*'], quota_bytes: 5 },
      }),
    );
    expect(back).toMatchObject({ policy_id: null, push_gate: 'off', pull_gate: 'enforce' });
    const [latest] = (await published(api, 50)).filter(
      ({ event, resource }) => event === 'folder.update' && resource?.id === id,
    );
    expect(latest?.detail).toEqual({
      policy_id: { from: policy.id, to: null },
      policy_name: { from: 'strict', to: 'default' },
      immutable_tags: { from: [], to: ['v*'] },
      quota_bytes: { from: null, to: 5 },
    });
  });

  it('is created with the modes of its gates', async () => {
    const wanted = { name: 'closed', pull_gate: 'enforce', push_gate: 'report', policy_id: null };
    expect(await json(admin.post('/api/folders', wanted))).toMatchObject(wanted);
  });

  it.each([
    ['policy_id', '0190a1b2-0000-7000-8000-00000000000a', 'POLICY_UNKNOWN'],
    ['policy_id', 'strict', 'INVALID_FORMAT'],
    ['push_gate', 'enforce', 'NOT_A_CHOICE'],
    ['pull_gate', true, 'NOT_A_CHOICE'],
    ['quota_bytes', 0, 'TOO_SMALL'],
    ['statements', 'yes', 'NOT_A_CHOICE'],
  ])('names the field %s of an invalid gate: %j', async (path, value, code) => {
    for (const reply of [
      await admin.patch('/api/folders/__root__', { [path]: value }),
      await admin.post('/api/folders', { name: 'never', [path]: value }),
    ]) {
      expect(reply.status).toBe(422);
      expect((await refusal(reply)).errors).toMatchObject([{ path, code }]);
    }
  });

  it('shows its gate to accounts that may pull from it, and to no other', async () => {
    const id = await api.account('gate-reader');
    const { folderId } = await api.grant(id, 'watched', { canPull: true });
    await api.store.folders.update(folderId, { pullGate: 'report' });
    await api.store.folders.insertFolder({ name: 'unwatched' });
    const reader = await api.as('gate-reader');
    expect(await json(reader.get('/api/folders/watched/gate'))).toEqual({
      folder: 'watched',
      policy_id: null,
      policy_name: 'default',
      push_gate: 'report',
      pull_gate: 'report',
      immutable_tags: [],
      quota_bytes: null,
      statements: 'off',
    });
    for (const name of ['unwatched', 'missing'])
      expect(await codeOf(reader.get(`/api/folders/${name}/gate`))).toEqual([
        404,
        'FOLDER_UNKNOWN',
      ]);
  });

  it('is listed by name, page by page', async () => {
    for (const name of ['zz2', 'zz1', 'zz10']) await admin.post('/api/folders', { name });
    const names: string[] = [];
    let next: string | undefined = '/api/folders?limit=2';
    while (next) {
      const page = await admin.get(next);
      names.push(...(await json(page)).map(({ name }: { name: string }) => name));
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(names).toEqual(await json(admin.get('/api/folders/names')));
    expect(names).toEqual([...names].sort());
    expect(names[0]).toBe('__root__');
  });
});

describe('a folder that holds repositories', () => {
  it('is deleted only with force; its repositories remain and belong to __root__', async () => {
    await admin.post('/api/folders', { name: 'full' });
    for (const name of ['ful', 'full-er', 'full.er'])
      await pushImage(api.registry.url, `${name}/app`, '1', await randomImage());
    expect((await admin.delete('/api/folders/full')).status).toBe(204);

    await admin.post('/api/folders', { name: 'full' });
    await pushImage(api.registry.url, 'full/deep/app', '1', await randomImage());
    const crew = await groupOf(annId, 'root pullers');
    await admin.put('/api/folders/__root__/permissions', { group_id: crew, can_pull: true });
    expect(await codeOf(admin.delete('/api/folders/full'))).toEqual([409, 'FOLDER_NOT_EMPTY']);
    expect(await pullsAs('ann', 'full/deep/app')).toBe(403);
    expect((await admin.delete('/api/folders/full?force=true')).status).toBe(204);
    expect(await pullsAs('ann', 'full/deep/app')).toBe(200);
  });

  it('is empty again when their last images are deleted', async () => {
    await admin.post('/api/folders', { name: 'emptied' });
    const image = await randomImage();
    await pushImage(api.registry.url, 'emptied/app', '1', image);
    expect(await codeOf(admin.delete('/api/folders/emptied'))).toEqual([409, 'FOLDER_NOT_EMPTY']);
    await fetch(`${api.registry.url}/v2/emptied/app/manifests/${image.digest}`, {
      method: 'DELETE',
    });
    expect((await admin.delete('/api/folders/emptied')).status).toBe(204);
  });

  it('takes repositories over from __root__ when it is created, and denies access until it is granted', async () => {
    await pushImage(api.registry.url, 'late/app', '1', await randomImage());
    const crew = await groupOf(annId, 'latecomers');
    await admin.put('/api/folders/__root__/permissions', { group_id: crew, can_pull: true });
    expect(await pullsAs('ann', 'late/app')).toBe(200);
    await admin.post('/api/folders', { name: 'late' });
    expect(await pullsAs('ann', 'late/app')).toBe(403);
    await admin.put('/api/folders/late/permissions', { group_id: crew, can_pull: true });
    expect(await pullsAs('ann', 'late/app')).toBe(200);
  });
});

describe('permissions', () => {
  it('are one entry for each group; absent flags are false', async () => {
    await admin.post('/api/folders', { name: 'granted' });
    const crew = await groupOf(annId, 'granted crew');
    const entry = { ...NONE, group_id: crew, group_name: 'granted crew' };
    const put = (flags: object) =>
      json(admin.put('/api/folders/granted/permissions', { group_id: crew, ...flags }));
    expect(await put({ can_pull: true, can_push: true })).toEqual({
      ...entry,
      can_pull: true,
      can_push: true,
    });
    expect(await put({ can_push_external: true })).toEqual({ ...entry, can_push_external: true });
    expect(await json(admin.get('/api/folders/granted/permissions'))).toEqual([
      { ...entry, can_push_external: true },
    ]);
    expect(await json(admin.get('/api/folders/granted'))).toMatchObject({
      permissions: [{ group_id: crew }],
    });
    expect((await admin.delete(`/api/folders/granted/permissions/${crew}`)).status).toBe(204);
    expect(await codeOf(admin.delete(`/api/folders/granted/permissions/${crew}`))).toEqual([
      404,
      'PERMISSION_UNKNOWN',
    ]);
    expect(await json(admin.get('/api/folders/granted/permissions'))).toEqual([]);
  });

  it('of an unknown group or folder are a 404', async () => {
    const [ghost, crew] = [annId, await groupOf(annId, 'ghosts')];
    const put = (folder: string, group_id: string) =>
      codeOf(admin.put(`/api/folders/${folder}/permissions`, { group_id, can_pull: true }));
    expect(await put('__root__', ghost)).toEqual([404, 'GROUP_UNKNOWN']);
    expect(await put('no-such', crew)).toEqual([404, 'FOLDER_UNKNOWN']);
  });

  it('that change take effect in every process, and are in the audit log', async () => {
    const crew = await groupOf(annId, 'announced crew');
    let announced = 0;
    const watch = watchChanges(api.redis, () => void announced++);
    onTestFinished(() => watch.close());
    await expect.poll(watch.live).toBe(true);
    const changes = [
      () => admin.post('/api/folders', { name: 'announced' }),
      () => admin.put('/api/folders/announced/permissions', { group_id: crew, can_pull: true }),
      () => admin.delete(`/api/folders/announced/permissions/${crew}`),
      () => admin.delete('/api/folders/announced'),
      () => admin.delete(`/api/groups/${crew}/members/${annId}`),
      () => admin.delete(`/api/groups/${crew}`),
    ];
    for (const change of changes) {
      const before = announced;
      expect((await change()).ok).toBe(true);
      await expect.poll(() => announced).toBeGreaterThan(before);
    }
    const events = (await published(api, 20)).filter(
      ({ resource }) => resource?.name === 'announced',
    );
    expect(events.map(({ event, resource }) => [event, resource?.folder])).toEqual([
      ['folder.delete', 'announced'],
      ['folder.revoke', 'announced'],
      ['folder.grant', 'announced'],
      ['folder.create', 'announced'],
    ]);
    expect(events[2]?.detail).toMatchObject({
      group_id: crew,
      group_name: 'announced crew',
      can_pull: true,
    });
  });
});

describe('discovery', () => {
  it('lists the folders with each flag, sorted, including a granted root; an administrator gets all', async () => {
    const id = await api.account('dora');
    const dora = await api.as('dora');
    const crew = await groupOf(id, 'dora’s');
    for (const name of ['disc-b', 'disc-a']) await admin.post('/api/folders', { name });
    const grants: [string, object][] = [
      ['disc-b', { can_pull: true, can_push: true }],
      ['disc-a', { can_pull: true, can_pull_external: true }],
      ['__root__', { can_pull: true, can_push_external: true }],
    ];
    for (const [folder, flags] of grants)
      await admin.put(`/api/folders/${folder}/permissions`, { group_id: crew, ...flags });
    const lists = (client: Client) =>
      Promise.all(
        ['mine', 'pushable', 'pullable-external', 'pushable-external'].map((word) =>
          json(client.get(`/api/folders/${word}`)),
        ),
      );
    expect(await lists(dora)).toEqual([
      ['__root__', 'disc-a', 'disc-b'],
      ['disc-b'],
      ['disc-a'],
      ['__root__'],
    ]);
    expect(await json(dora.get('/api/auth/me'))).toMatchObject({
      groups: [{ id: crew, name: 'dora’s' }],
      capabilities: { pull_external: true, push_external: true, push: true },
    });
    const all = await json(admin.get('/api/folders/names'));
    expect(await lists(admin)).toEqual([all, all, all, all]);
    expect(await json(admin.get('/api/auth/me'))).toMatchObject({
      capabilities: { pull_external: true, push_external: true, push: true },
    });
    expect(await codeOf(dora.get('/api/folders/names'))).toEqual([403, 'ADMIN_ONLY']);
  });
});

describe('explain', () => {
  const explain = (query: Record<string, string>) =>
    admin.get(`/api/folders/explain?${new URLSearchParams(query)}`);

  it('names the folder and the grants that decide', async () => {
    const id = await api.account('eve');
    const [readers, writers] = [await groupOf(id, 'readers'), await groupOf(id, 'writers')];
    await admin.post('/api/folders', { name: 'explained' });
    await admin.put('/api/folders/explained/permissions', { group_id: readers, can_pull: true });
    await admin.put('/api/folders/explained/permissions', {
      group_id: writers,
      can_pull: true,
      can_push: true,
    });
    await admin.put('/api/folders/__root__/permissions', {
      group_id: readers,
      can_pull_external: true,
    });
    const question = { user_id: id, repository: 'explained/app' };
    const reader = {
      group: { id: readers, name: 'readers' },
      grant: { ...NONE, folder: 'explained', can_pull: true },
    };
    const writer = {
      group: { id: writers, name: 'writers' },
      grant: { ...NONE, folder: 'explained', can_pull: true, can_push: true },
    };
    const allowed = { allowed: true, is_admin: false, code: null, reason: null };
    expect(await json(explain({ ...question, action: 'pull' }))).toEqual({
      ...allowed,
      folder: 'explained',
      because: [reader, writer],
    });
    expect(await json(explain({ ...question, action: 'push' }))).toMatchObject({
      because: [writer],
    });
    expect(
      await json(explain({ ...question, action: 'push', repository: 'explained' })),
    ).toMatchObject({
      folder: '__root__',
      allowed: false,
      code: 'FOLDER_FORBIDDEN',
      because: [{ group: reader.group, grant: { folder: '__root__', can_push: false } }],
    });
    expect(await json(explain({ user_id: id, action: 'pull_external' }))).toMatchObject({
      folder: null,
      allowed: true,
      because: [{ group: reader.group, grant: { folder: '__root__' } }],
    });
    expect(await json(explain({ user_id: id, action: 'push_external' }))).toMatchObject({
      allowed: false,
      code: 'PUSH_EXTERNAL_FORBIDDEN',
    });
    await api.store.users.update(id, { disabled: true });
    expect(await json(explain({ ...question, action: 'pull' }))).toMatchObject({
      allowed: false,
      code: 'ACCOUNT_DISABLED',
    });
  });

  it('shows that an account is an administrator', async () => {
    expect(
      await json(explain({ user_id: rootId, action: 'push', repository: 'any/thing' })),
    ).toEqual({
      folder: '__root__',
      allowed: true,
      is_admin: true,
      code: null,
      reason: null,
      because: [],
    });
  });

  it('requires a repository for the local rights, and a known account', async () => {
    expect(await codeOf(explain({ user_id: annId, action: 'pull' }))).toEqual([
      422,
      'VALIDATION_FAILED',
    ]);
    expect(await codeOf(explain({ user_id: annId, action: 'pull', repository: '../x' }))).toEqual([
      422,
      'VALIDATION_FAILED',
    ]);
    expect(
      await codeOf(
        explain({ user_id: '0190a1b2-0000-7000-8000-00000000000a', action: 'pull_external' }),
      ),
    ).toEqual([404, 'USER_UNKNOWN']);
  });
});

it('only administrators manage folders', async () => {
  const refused = [
    ann.get('/api/folders'),
    ann.post('/api/folders', { name: 'anns' }),
    ann.get('/api/folders/__root__'),
    ann.patch('/api/folders/__root__', { description: '' }),
    ann.delete('/api/folders/__root__'),
    ann.put('/api/folders/__root__/permissions', { group_id: annId, can_push: true }),
    ann.get('/api/folders/__root__/permissions'),
    ann.delete(`/api/folders/__root__/permissions/${annId}`),
    ann.get(`/api/folders/explain?user_id=${annId}&action=pull_external`),
  ];
  for (const answer of refused) expect(await codeOf(answer)).toEqual([403, 'ADMIN_ONLY']);
});
