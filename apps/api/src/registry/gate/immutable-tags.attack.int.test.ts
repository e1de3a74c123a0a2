/**
 * A property of immutable tags: through whatever door an administrator tries, a tag that exists
 * stays where it is.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { OCI_INDEX } from '@portcullis/oci';
import { buildIndex, json, pushImage, skopeo, type TestImage } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { startApi } from '../../api.fixture.ts';
import {
  answerOf,
  api,
  CREDENTIALS,
  digestAt,
  expectStatus,
  FOLDER,
  first,
  LOGIN,
  other,
  proxied,
  put,
  remove,
  repository,
  root,
  setRepository,
  startImmutable,
} from './immutable-tags.fixture.ts';

startImmutable();

const IMAGES = '/api/images/__local__';

/** As clients write the list of the referrers of an image. */
function listOf(referrers: TestImage[]): Pick<TestImage, 'bytes' | 'descriptor'> {
  const manifests = referrers.map(({ descriptor: { mediaType, digest, size } }) => ({
    ...{ mediaType, digest, size },
    artifactType: 'application/vnd.example.sbom',
  }));
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests }));
  return { bytes, descriptor: { ...first.descriptor, mediaType: OCI_INDEX } };
}

/** A registry that restarts: it loses the connection of a push, and stores the manifest later. */
async function lossyRegistry(target: string) {
  const late: (() => Promise<unknown>)[] = [];
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers, url = '' } = request;
    const body = await buffer(request);
    const kept = ['accept', 'content-type'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])] as [string, string]],
    );
    const forward = () =>
      fetch(target + url, { method, headers: kept, ...(body.length > 0 && { body }) });
    if (method === 'PUT' && /\/manifests\/v/.test(url)) {
      late.push(forward);
      request.socket.destroy();
      return;
    }
    const answer = await forward();
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrive: () => Promise.all(late.map((send) => send())),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const tags = () => `${IMAGES}/tags?repository=${repository}`;

const copied = (tag: string, dest_tag: string) =>
  root.post('/api/images/copy', {
    source_repository: repository,
    source_tag: tag,
    dest_repository: repository,
    dest_tag,
  });

const digestOf = ({ digest }: TestImage) => digest;

const layerOf = ({ blobs }: TestImage) => blobs.at(-1)?.descriptor.digest ?? '';

type Attempt = () => Promise<Response>;

/** Each door, with the status and the code of its refusal. */
const DOORS: [string, Attempt, number, string][] = [
  ['PUT of a manifest over /v2', () => put(api, 'v1', other), 403, 'DENIED'],
  ['PUT through another process', () => put(proxied, 'v1', other), 403, 'DENIED'],
  ['DELETE of the tag over /v2', () => remove(api, 'manifests/v1'), 403, 'DENIED'],
  ['DELETE by digest', () => remove(api, `manifests/${digestOf(first)}`), 403, 'DENIED'],
  ['DELETE elsewhere', () => remove(proxied, `manifests/${digestOf(first)}`), 403, 'DENIED'],
  ['DELETE of its layer', () => remove(api, `blobs/${layerOf(first)}`), 403, 'DENIED'],
  ['deletion of the tag', () => root.delete(`${tags()}&tag=v1`), 409, 'TAG_IMMUTABLE'],
  [
    'a new tag',
    () => root.post(tags(), { source_tag: 'latest', new_tag: 'v1' }),
    409,
    'TAG_IMMUTABLE',
  ],
  ['a copy', () => copied('latest', 'v1'), 409, 'TAG_IMMUTABLE'],
];

describe('an immutable tag', () => {
  it.each(DOORS)('stays at %s', async (_, attempt, status, code) => {
    const answer = await answerOf(attempt());
    const { body } = answer;
    expect([answer.status, body.errors?.[0]?.code ?? body.code]).toEqual([status, code]);
    const said = JSON.stringify(body);
    expect(said).toMatch(/tag v1 of kept\/app\d+ .*immutable in the folder kept/);
    expect(await digestAt('v1')).toBe(first.digest);
    const layer = `${api.registry.url}/v2/${repository}/blobs/${layerOf(first)}`;
    expect((await fetch(layer, { method: 'HEAD' })).status).toBe(200);
  });

  it('is refused alone where many tags are deleted', async () => {
    const body = await json(
      root.post(`${IMAGES}/tags/delete?repository=${repository}`, { tags: ['v1', 'latest'] }),
    );
    expect(body).toEqual({
      ...{ done: 1, refused: 1, failed: 0 },
      reasons: [{ code: 'TAG_IMMUTABLE', count: 1, tags: ['v1'] }],
    });
    expect([await digestAt('v1'), await digestAt('latest')]).toEqual([first.digest, undefined]);
  });

  it('stays with other names of its image when the repository is deleted', async () => {
    await pushImage(api.url, repository, 'same', first, { credentials: CREDENTIALS });
    const body = await json(root.delete(`${IMAGES}?repository=${repository}`));
    expect(body.deleted).toEqual(['latest']);
    expect(body.failed.map(({ tag }: { tag: string }) => tag).sort()).toEqual(['same', 'v1']);
    expect(body.failed[0].reason).toContain('is immutable in the folder kept');
    expect([await digestAt('v1'), await digestAt('latest')]).toEqual([first.digest, undefined]);
  });

  it('keeps the images of its index', async () => {
    const index = await buildIndex([first, other]);
    await pushImage(api.url, repository, 'v2', index, { credentials: CREDENTIALS });
    expect((await remove(api, `manifests/${other.digest}`)).status).toBe(403);
    expect(await digestAt(other.digest)).toBe(other.digest);
  });

  it('accepts its own digest again, at each door', async () => {
    expect((await put(api, 'v1', first)).status).toBe(201);
    expect((await put(proxied, 'v1', first)).status).toBe(201);
    await expectStatus(201, root.post(tags(), { source_tag: first.digest, new_tag: 'v1' }));
    await expectStatus(201, copied('v1', 'v1'));
    expect(await digestAt('v1')).toBe(first.digest);
  });

  it('is created by a new tag and a copy', async () => {
    await expectStatus(201, root.post(tags(), { source_tag: 'latest', new_tag: 'v3' }));
    await expectStatus(201, copied('v1', 'v4'));
    expect([await digestAt('v3'), await digestAt('v4')]).toEqual([other.digest, first.digest]);
  });

  it('leaves other tags of the folder as they are', async () => {
    expect((await put(api, 'latest', first)).status).toBe(201);
    expect((await remove(api, 'manifests/latest')).status).toBe(202);
    expect((await remove(api, `manifests/${other.digest}`)).status).toBe(202);
  });

  it('is not moved by a push that the registry stores after its connection was lost', async () => {
    const lossy = await lossyRegistry(api.registry.url);
    const env = { ...proxied.surroundings.env, REGISTRY_URL: lossy.url };
    const surroundings = { ...proxied.surroundings, env };
    const cut = await startApi({}, { surroundings });
    try {
      expect((await put(cut, 'v7', other)).status).toBe(503);
      expect(await digestAt('v7')).toBeUndefined();
      expect((await put(api, 'v7', first)).status).toBe(403);
      await lossy.arrive();
      expect(await digestAt('v7')).toBe(other.digest);
      expect((await put(api, 'v7', first)).status).toBe(403);
      expect((await put(api, 'v7', other)).status).toBe(201);
    } finally {
      await cut.stop();
      lossy.stop();
    }
  });

  it('is said in one sentence by skopeo', async () => {
    const from = `docker://${api.host}/${repository}:latest`;
    const to = `docker://${api.host}/${repository}:v1`;
    const plain = ['--src-tls-verify=false', '--dest-tls-verify=false'];
    const copying = skopeo('copy', ...plain, '--src-creds', LOGIN, '--dest-creds', LOGIN, from, to);
    await expect(copying).rejects.toThrow(
      new RegExp(`the tag v1 of ${repository} is immutable in the folder kept`),
    );
  });

  it('is listed as such', async () => {
    const listed = await json(root.get(tags()));
    const immutable = listed.map(({ tag, immutable }: Record<string, unknown>) => [tag, immutable]);
    expect(new Map(immutable)).toEqual(
      new Map([
        ['v1', true],
        ['latest', false],
      ]),
    );
  });
});

describe('the patterns of a folder', () => {
  it('apply at once, in each process, and no more when they are removed', async () => {
    await expectStatus(201, root.post('/api/folders', { name: 'free' }));
    setRepository('free/app');
    const change = (immutable_tags: string[]) =>
      expectStatus(200, root.patch('/api/folders/free', { immutable_tags }));
    await pushImage(api.url, repository, '1.0', first, { credentials: CREDENTIALS });
    await pushImage(api.url, repository, '1.0', other, { credentials: CREDENTIALS });
    await change(['*']);
    expect((await put(api, '1.0', first)).status).toBe(403);
    await expect.poll(async () => (await put(proxied, '1.0', first)).status).toBe(403);
    await change([]);
    expect((await put(api, '1.0', first)).status).toBe(201);
  });

  it.each([
    [['{v,'], 'immutable_tags.0', 'PATTERN_INVALID'],
    [['v*', ''], 'immutable_tags.1', 'REQUIRED'],
    [Array.from({ length: 21 }, (_, nth) => `v${nth}`), 'immutable_tags', 'TOO_MANY'],
  ])('%j are refused with their field', async (immutable_tags, path, code) => {
    const { status, body } = await answerOf(
      root.patch(`/api/folders/${FOLDER}`, { immutable_tags }),
    );
    expect(status).toBe(422);
    expect(body.errors[0]).toMatchObject({ path, code });
  });

  it('are shown with the folder', async () => {
    const shown = { immutable_tags: ['v*'] };
    expect(await json(root.get(`/api/folders/${FOLDER}`))).toMatchObject(shown);
    expect(await json(root.get(`/api/folders/${FOLDER}/gate`))).toMatchObject(shown);
    expect(await json(root.get(`/api/folders/${FOLDER}/overview`))).toMatchObject(shown);
  });

  it('keep an image under the name of a list of referrers, and let the list change', async () => {
    await expectStatus(201, root.post('/api/folders', { name: 'every', immutable_tags: ['*'] }));
    setRepository('every/app');
    const nameFor = ({ digest }: TestImage) => digest.replace(':', '-');
    const index = await buildIndex([first, other]);
    await pushImage(api.url, repository, nameFor(first), first, { credentials: CREDENTIALS });
    await pushImage(api.url, repository, nameFor(index), index, { credentials: CREDENTIALS });
    const listName = nameFor(other);
    expect((await put(api, listName, listOf([]))).status).toBe(201);
    for (const reference of [nameFor(first), nameFor(index)]) {
      expect((await put(api, reference, listOf([]))).status).toBe(403);
      expect((await remove(api, `manifests/${reference}`)).status).toBe(403);
    }
    expect((await remove(api, `manifests/${first.digest}`)).status).toBe(403);
    expect(await digestAt(nameFor(first))).toBe(first.digest);
    const listed: { tag: string; immutable: boolean }[] = await json(root.get(tags()));
    const free = listed.filter(({ immutable }) => !immutable).map(({ tag }) => tag);
    expect(free).toEqual([listName]);
    expect((await put(api, listName, listOf([first]))).status).toBe(201);
    expect((await remove(api, `manifests/${listName}`)).status).toBe(202);
  });

  it('keep tags of repositories without a folder', async () => {
    const change = (immutable_tags: string[]) =>
      expectStatus(200, root.patch('/api/folders/__root__', { immutable_tags }));
    setRepository('alone');
    await change(['*']);
    await pushImage(api.url, repository, '1', first, { credentials: CREDENTIALS });
    await pushImage(api.url, repository, '2', other, { credentials: CREDENTIALS });
    expect((await put(api, '1', other)).status).toBe(403);
    await change([]);
    expect((await put(api, '1', other)).status).toBe(201);
  });
});
