/** The mirror of a folder: what is saved, shown, recorded and refused. */
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, published, startApi, type TestApi } from '../../../api.fixture.ts';

let api: TestApi;
let admin: Client;
let ann: Client;
let annId: string;
let global: string;
let own: string;
let ofAnn: string;

const DEFAULTS = {
  prefix: '',
  allow: ['*'],
  platforms: [],
  check_minutes: 60,
  keep_days: 90,
};

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  annId = await api.account('ann');
  [admin, ann] = await Promise.all([api.as('root'), api.as('ann')]);
  const save = async (host: string, ownerId: string | null) =>
    (await api.store.registries.insert({ name: host, host, useTls: false, ownerId })).id;
  global = await save('ghcr.example.com', null);
  own = await save(api.host, null);
  ofAnn = await save('private.example.com', annId);
  await admin.post('/api/folders', { name: 'docker.io' });
});
afterAll(() => api?.stop());

const change = (mirror: unknown) => admin.patch('/api/folders/docker.io', { mirror });
const shown = async () => (await json(admin.get('/api/folders/docker.io'))).mirror;

describe('the mirror of a folder', () => {
  it('is saved with its defaults, changed as a whole, shown, and removed', async () => {
    expect(await shown()).toBeNull();
    expect((await json(change({ registry_id: null }))).mirror).toEqual({
      registry_id: null,
      ...DEFAULTS,
    });
    const wanted = {
      registry_id: global,
      prefix: 'org',
      allow: ['library/*', 'grafana/**'],
      platforms: ['linux/amd64', 'linux/arm64/v8'],
      check_minutes: 5,
      keep_days: 7,
    };
    expect((await change(wanted)).status).toBe(200);
    expect(await shown()).toEqual(wanted);
    expect((await admin.patch('/api/folders/docker.io', { description: 'hub' })).status).toBe(200);
    expect(await shown()).toEqual(wanted);
    expect((await change(null)).status).toBe(200);
    expect((await change(null)).status).toBe(200);
    expect(await shown()).toBeNull();
    const made = await json(
      admin.post('/api/folders', { name: 'quay.io', mirror: { registry_id: global } }),
    );
    expect(made.mirror).toEqual({ registry_id: global, ...DEFAULTS });
  });

  it('is in the audit event of the change, before and after', async () => {
    await change(null);
    await change({ registry_id: global, keep_days: 3 });
    const events = await published(api);
    expect(events.find(({ event }) => event === 'folder.update')?.detail).toEqual({
      mirror: { from: null, to: { registry_id: global, ...DEFAULTS, keep_days: 3 } },
    });
  });

  it.each([
    [
      'an unknown registry',
      { registry_id: '0190a1b2-0000-7000-8000-00000000000a' },
      'mirror.registry_id',
      'REGISTRY_UNKNOWN',
    ],
    [
      'a registry of one account',
      { registry_id: () => ofAnn },
      'mirror.registry_id',
      'REGISTRY_UNKNOWN',
    ],
    ['this installation', { registry_id: () => own }, 'mirror.registry_id', 'MIRROR_OF_ITSELF'],
    ['no registry', {}, 'mirror.registry_id', 'REQUIRED'],
    ['no id', { registry_id: 'docker' }, 'mirror.registry_id', 'INVALID_FORMAT'],
    [
      'a prefix that is no path',
      { registry_id: null, prefix: '/Org/' },
      'mirror.prefix',
      'REPOSITORY_INVALID',
    ],
    ['no glob', { registry_id: null, allow: [] }, 'mirror.allow', 'TOO_FEW'],
    [
      'a glob that does not end',
      { registry_id: null, allow: ['a', 'b{c'] },
      'mirror.allow.1',
      'PATTERN_INVALID',
    ],
    [
      'no platform',
      { registry_id: null, platforms: ['Linux'] },
      'mirror.platforms.0',
      'PLATFORM_INVALID',
    ],
    [
      'checks without a pause',
      { registry_id: null, check_minutes: 0 },
      'mirror.check_minutes',
      'TOO_SMALL',
    ],
    [
      'checks after a week',
      { registry_id: null, check_minutes: 10_081 },
      'mirror.check_minutes',
      'TOO_LARGE',
    ],
    ['no day', { registry_id: null, keep_days: 0 }, 'mirror.keep_days', 'TOO_SMALL'],
    ['a century', { registry_id: null, keep_days: 36_501 }, 'mirror.keep_days', 'TOO_LARGE'],
    ['half a day', { registry_id: null, keep_days: 0.5 }, 'mirror.keep_days', 'WRONG_TYPE'],
    ['an unknown term', { registry_id: null, upstream: 'x' }, 'mirror.upstream', 'UNKNOWN_FIELD'],
  ])('is refused with %s, by the field', async (_, given, path, code) => {
    const { registry_id: id } = given as { registry_id?: unknown };
    const mirror = typeof id === 'function' ? { ...given, registry_id: id() } : given;
    const reply = await change(mirror);
    const { errors } = await reply.json();
    expect([reply.status, errors.map((each: { path: string }) => each.path)]).toEqual([
      422,
      [path],
    ]);
    expect(errors[0].code).toBe(code);
  });

  it('is of no use to __root__, and only administrators set it', async () => {
    const mirror = { registry_id: null };
    expect(await codeOf(admin.patch('/api/folders/__root__', { mirror }))).toEqual([
      403,
      'FOLDER_PROTECTED',
    ]);
    expect(await codeOf(ann.patch('/api/folders/docker.io', { mirror }))).toEqual([
      403,
      'ADMIN_ONLY',
    ]);
  });

  it('keeps its registry from being deleted', async () => {
    await change({ registry_id: global });
    expect(await codeOf(admin.delete(`/api/registries/${global}`))).toEqual([
      409,
      'REGISTRY_IN_USE',
    ]);
    await change(null);
    await admin.patch('/api/folders/quay.io', { mirror: null });
    expect((await admin.delete(`/api/registries/${global}`)).status).toBe(204);
  });
});

describe('a mirror', () => {
  const of = (client: Client) => client.get('/api/folders/docker.io/mirror');

  it('is shown to accounts that may pull from its folder, with what they may do', async () => {
    await change(null);
    expect(await json(of(admin))).toEqual({ mirror: null });
    expect(await json(admin.get('/api/folders/mirrors'))).toEqual([]);
    await change({ registry_id: null, prefix: 'org' });
    const summary = { folder: 'docker.io', host: 'docker.io', prefix: 'org' };
    const { mirror } = await json(of(admin));
    expect(mirror).toMatchObject({ ...summary, may_bring_in: true, registry_name: null });
    expect(mirror.tags).toMatchObject({ refused: 0, current: 0 });
    expect(await codeOf(of(ann))).toEqual([404, 'FOLDER_UNKNOWN']);
    expect(await json(ann.get('/api/folders/mirrors'))).toEqual([]);
    await api.grant(annId, 'docker.io', { canPull: true });
    await expect
      .poll(() => json(ann.get('/api/folders/mirrors')))
      .toEqual([{ ...summary, may_bring_in: false }]);
    const tags = await json(ann.get('/api/folders/docker.io/mirror/tags'));
    expect(tags).toEqual({ items: [], total: 0, page: 1, page_size: 50, total_pages: 0 });
  });
});

describe('the files of clients', () => {
  const config = (client: Client, query: string) =>
    client.get(`/api/folders/docker.io/mirror/config?${query}`);

  it('are those of the mirror at the address of the request', async () => {
    await change(null);
    expect(await codeOf(config(admin, 'client=podman'))).toEqual([409, 'MIRROR_UNSET']);
    await change({ registry_id: null, prefix: 'org' });
    const { files, commands, limits } = await json(config(admin, 'client=podman'));
    expect(files[0].text).toContain('prefix = "docker.io/org"');
    expect(files[0].text).toContain(`location = "${api.host}/docker.io"`);
    expect(commands.at(-1)).toBe('podman pull docker.io/org/REPOSITORY:TAG');
    expect(limits).toEqual([]);
  });

  it('name the file with the authority, which has no blanks', async () => {
    const ca = (file: string) => `client=containerd&ca=${encodeURIComponent(file)}`;
    const { files } = await json(config(admin, ca('/etc/ssl/own.pem')));
    expect(files[0].text).toContain('ca = "/etc/ssl/own.pem"');
    expect((await config(admin, ca('/etc/x; rm -r /'))).status).toBe(422);
    expect((await config(admin, 'client=wget')).status).toBe(422);
  });

  it('are for accounts that may pull from the folder', async () => {
    await api.account('bob');
    expect(await codeOf(config(await api.as('bob'), 'client=docker'))).toEqual([
      404,
      'FOLDER_UNKNOWN',
    ]);
  });
});
