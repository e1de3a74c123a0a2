/**
 * A property of quotas: through whatever door an administrator tries, a folder does not hold more
 * than its quota, and takes again what it holds.
 */
import { randomBytes } from 'node:crypto';
import {
  blobOf,
  buildArtifact,
  buildIndex,
  fetchManifest,
  json,
  pushBlob,
  pushImage,
  randomImage,
  skopeo,
  type TestBlob,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

const CREDENTIALS = { username: 'root', password: 'pass-of-root' };
const LOGIN = `${CREDENTIALS.username}:${CREDENTIALS.password}`;
const BASIC = { authorization: `Basic ${Buffer.from(LOGIN).toString('base64')}` };
const IMAGES = '/api/images/__local__';
const LAYER = 'application/vnd.oci.image.layer.v1.tar';
const FOREIGN = 'application/vnd.oci.image.layer.nondistributable.v1.tar';

let api: TestApi;
/** Another process, whose registry receives the uploads itself. */
let proxied: TestApi;
let root: Client;
let folder: string;
let repository: string;
let image: TestImage;
let other: TestImage;
let count = 0;

beforeAll(async () => {
  api = await startApi();
  const env = { ...api.surroundings.env };
  delete env.REGISTRY_STORAGE;
  const surroundings = { ...api.surroundings, env };
  proxied = await startApi({}, { surroundings });
  await api.account('root', { isAdmin: true });
  root = await api.as('root');
});
afterAll(async () => {
  await proxied?.stop();
  await api?.stop();
});

beforeEach(async () => {
  folder = `bounded${++count}`;
  repository = `${folder}/app`;
  image = await randomImage({ layers: 1, bytes: 10_000, compression: 'gzip' });
  other = await randomImage({ layers: 1, bytes: 10_000, compression: 'gzip' });
  await expectStatus(201, root.post('/api/folders', { name: folder }));
});

function sizeOf({ bytes, blobs, children }: TestImage): number {
  const parts = [bytes, ...blobs.map((blob) => blob.bytes)];
  const own = parts.reduce((sum, part) => sum + part.length, 0);
  return own + children.reduce((sum, child) => sum + sizeOf(child), 0);
}

async function limit(quota_bytes: number | null): Promise<void> {
  await expectStatus(200, root.patch(`/api/folders/${folder}`, { quota_bytes }));
  await expect
    .poll(async () => (await proxied.as('root').then((to) => json(to.get(gate())))).quota_bytes)
    .toBe(quota_bytes);
}

const gate = () => `/api/folders/${folder}/gate`;

async function used(): Promise<number> {
  return (await json(root.get(`/api/folders/${folder}/overview`))).bytes;
}

async function expectStatus(status: number, reply: Promise<Response>): Promise<unknown> {
  const { status: answered, body } = await answerOf(reply);
  expect(answered, JSON.stringify(body)).toBe(status);
  return body;
}

async function answerOf(reply: Promise<Response>) {
  const response = await reply;
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

interface Put {
  name?: string;
  reference?: string;
  to?: TestApi;
}

function put(manifest: TestBlob, { name = repository, reference = 'v1', to = api }: Put = {}) {
  return fetch(`${to.url}/v2/${name}/manifests/${reference}`, {
    method: 'PUT',
    headers: { ...BASIC, 'content-type': manifest.descriptor.mediaType },
    body: new Uint8Array(manifest.bytes),
  });
}

async function pushBlobs({ blobs }: TestImage, name = repository): Promise<void> {
  for (const blob of blobs) await pushBlob(api.url, name, blob, { credentials: CREDENTIALS });
}

function push(pushed: TestImage, tag: string | null, name = repository): Promise<void> {
  return pushImage(api.url, name, tag, pushed, { credentials: CREDENTIALS });
}

function start(query = '', { name = repository, to = api }: Put = {}): Promise<Response> {
  return fetch(`${to.url}/v2/${name}/blobs/uploads/${query}`, { method: 'POST', headers: BASIC });
}

function copied(source_repository: string, dest_repository: string, tag = 'v1') {
  const tags = { source_tag: tag, dest_tag: tag };
  return root.post('/api/images/copy', { source_repository, dest_repository, ...tags });
}

async function isThere(reference: string, name = repository): Promise<boolean> {
  return (await fetchManifest(api.registry.url, name, reference)).status === 200;
}

/** An image of this configuration with other layers. */
function manifestOf(layers: object[]): TestBlob {
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const config = image.blobs[0]?.descriptor;
  const document = { schemaVersion: 2, mediaType, config, layers };
  return blobOf(mediaType, Buffer.from(JSON.stringify(document)));
}

const layerOf = ({ blobs }: TestImage) => blobs.at(-1)?.descriptor.digest ?? '';

describe('a push over /v2', () => {
  it('fits up to the last byte of the quota, and not beyond it', async () => {
    await limit(sizeOf(image));
    await pushBlobs(image);
    await pushBlobs(other);
    await expectStatus(201, put(image));
    expect(await used()).toBe(sizeOf(image));
    for (const to of [api, proxied]) {
      const { status, body } = await answerOf(put(other, { reference: 'v2', to }));
      expect([status, body.errors[0].code]).toEqual([403, 'DENIED']);
      expect(body.errors[0].message).toMatch(
        /^this would add \d.* to the folder bounded\d+, which uses .* of its quota of .*; delete images from it, or ask an administrator/,
      );
      expect(body.errors[0].detail).toMatchObject({ code: 'QUOTA_EXCEEDED', folder });
    }
    expect(await isThere('v2')).toBe(false);
    expect(await used()).toBe(sizeOf(image));
  });

  it('is refused by its digest as well', async () => {
    await limit(sizeOf(image));
    await pushBlobs(other);
    await push(image, null);
    expect((await put(other, { reference: other.digest })).status).toBe(403);
    expect(await used()).toBe(sizeOf(image));
  });

  it('starts no upload and mounts nothing once the folder is full', async () => {
    await push(other, 'v1', 'elsewhere');
    await push(image, 'v1');
    await limit(sizeOf(image));
    const mount = `?mount=${layerOf(other)}&from=elsewhere`;
    for (const to of [api, proxied])
      for (const query of ['', mount, `?digest=${layerOf(other)}`]) {
        const { status, body } = await answerOf(start(query, { to }));
        expect([status, body.errors[0].code]).toEqual([403, 'DENIED']);
        expect(body.errors[0].message).toContain(`the folder ${folder} is full`);
      }
    const blob = `${api.registry.url}/v2/${repository}/blobs/${layerOf(other)}`;
    expect((await fetch(blob, { method: 'HEAD' })).status).toBe(404);
  });

  it('takes again what the folder has, also in another of its repositories', async () => {
    await push(image, 'v1');
    await limit(1);
    await push(image, 'v2');
    const mount = `?mount=${layerOf(image)}&from=${repository}`;
    expect((await start(mount, { name: `${folder}/second` })).status).toBe(201);
    for (const { descriptor } of image.blobs)
      await start(`?mount=${descriptor.digest}&from=${repository}`, { name: `${folder}/second` });
    await expectStatus(201, put(image, { name: `${folder}/second` }));
    expect(await used()).toBe(sizeOf(image));
  });

  it('counts a blob of several images once', async () => {
    const layer = blobOf(LAYER, randomBytes(50_000));
    const [first, second] = ['a', 'b'].map((config) =>
      buildArtifact({
        config: { mediaType: 'application/x', bytes: Buffer.from(config) },
        layers: [{ mediaType: LAYER, bytes: layer.bytes }],
      }),
    );
    if (!first || !second) throw new Error('two images are needed');
    await limit(55_000);
    await push(first, 'v1');
    await push(second, 'v1', `${folder}/second`);
    expect(await used()).toBe(sizeOf(first) + sizeOf(second) - 50_000);
  });

  it('of an index counts its images once, when they are pushed', async () => {
    const index = buildIndex([image, other]);
    await limit(sizeOf(index));
    await push(index, 'v1');
    expect(await used()).toBe(sizeOf(index));
    const third = await randomImage({ layers: 1, bytes: 100, compression: 'gzip' });
    await expect(push(third, 'v2')).rejects.toThrow(/403.*is full/);
  });

  it('of an index counts images again that lost their last tag', async () => {
    const index = buildIndex([image, other]);
    await push(index, 'v1');
    await expectStatus(202, remove('v1'));
    expect(await used()).toBe(0);
    await limit(sizeOf(index) - 1);
    expect((await put(index)).status).toBe(403);
    await limit(sizeOf(index));
    await expectStatus(201, put(index));
    expect(await used()).toBe(sizeOf(index));
  });

  it('fits again after a deletion', async () => {
    await limit(sizeOf(image) + 100);
    await push(image, 'v1');
    await expect(push(other, 'v2')).rejects.toThrow(/403/);
    await expectStatus(202, remove('v1'));
    await push(other, 'v2');
    expect(await used()).toBe(sizeOf(other));
  });

  it('does not exceed the quota with others at the same time', async () => {
    const images = await Promise.all(
      Array.from({ length: 8 }, () => randomImage({ layers: 1, bytes: 10_000 })),
    );
    for (const each of images) await pushBlobs(each);
    const quota = 3.5 * sizeOf(image);
    await limit(Math.floor(quota));
    const answers = await Promise.all(
      images.map((each, nth) => put(each, { reference: `v${nth}`, to: nth % 2 ? api : proxied })),
    );
    const made = answers.filter(({ status }) => status === 201).length;
    expect(answers.every(({ status }) => status === 201 || status === 403)).toBe(true);
    expect(made).toBeGreaterThan(0);
    expect(await used()).toBeLessThanOrEqual(quota);
  });

  it('is refused in one sentence by skopeo', async () => {
    await push(other, 'v1', 'elsewhere');
    await push(image, 'v1');
    await limit(sizeOf(image));
    const from = `docker://${api.host}/elsewhere:v1`;
    const to = `docker://${api.host}/${repository}:v2`;
    const plain = ['--src-tls-verify=false', '--dest-tls-verify=false'];
    const copying = skopeo('copy', ...plain, '--src-creds', LOGIN, '--dest-creds', LOGIN, from, to);
    await expect(copying).rejects.toThrow(/the folder bounded\d+ is full/);
  });
});

describe('sizes that are stated wrongly', () => {
  it('are refused, however many parts the manifest has', async () => {
    await limit(20_000);
    await pushBlobs(image);
    const config = image.blobs[0];
    if (!config) throw new Error('the image has no configuration');
    const layers = await Promise.all(
      Array.from({ length: 150 }, async () => {
        const blob = blobOf(LAYER, randomBytes(1_000));
        await pushBlob(api.url, repository, blob, { credentials: CREDENTIALS });
        return { ...blob.descriptor, size: 1 };
      }),
    );
    const { status, body } = await answerOf(put(manifestOf(layers)));
    expect([status, body.errors[0].code]).toEqual([400, 'SIZE_INVALID']);
    expect(await used()).toBe(0);
  });

  it('are not accepted for a blob that may arrive meanwhile', async () => {
    await limit(20_000);
    await pushBlobs(image);
    const { descriptor } = blobOf(LAYER, randomBytes(30_000));
    const { status, body } = await answerOf(put(manifestOf([{ ...descriptor, size: 1 }])));
    expect([status, body.errors[0].code]).toEqual([400, 'MANIFEST_BLOB_UNKNOWN']);
  });

  it('count as stated for a layer that clients fetch elsewhere', async () => {
    await limit(50_000);
    await pushBlobs(image);
    const { descriptor } = blobOf(FOREIGN, randomBytes(10));
    const foreign = (size: number) =>
      manifestOf([{ ...descriptor, size, urls: ['https://example.com/layer'] }]);
    expect((await put(foreign(2 ** 53 - 1))).status).toBe(403);
    expect((await put(foreign(10))).status).toBe(201);
  });
});

describe('a layer that clients fetch elsewhere', () => {
  it('counts by its own size once it is stored all the same', async () => {
    await limit(50_000);
    await pushBlobs(image);
    const blob = blobOf(FOREIGN, randomBytes(40_000));
    const urls = ['https://example.com/layer'];
    const lying = manifestOf([{ ...blob.descriptor, size: 1, urls }]);
    expect((await put(lying)).status).toBe(201);
    const before = await used();
    await pushBlob(api.url, repository, blob, { credentials: CREDENTIALS });
    await expect.poll(used).toBe(before + 40_000 - 1);
    await expect(push(other, 'v2')).rejects.toThrow(/403/);
  });
});

describe('uploads without a manifest', () => {
  it('are not counted: they are collected as garbage', async () => {
    await limit(5_000);
    await pushBlobs(image);
    expect(await used()).toBe(0);
    expect((await put(image)).status).toBe(403);
  });
});

describe('over REST', () => {
  const tags = () => `${IMAGES}/tags?repository=${repository}`;

  it('a copy into the folder is refused before it is made, and fits after a deletion', async () => {
    await push(other, 'v1', 'elsewhere');
    await push(image, 'v1');
    await limit(sizeOf(image) + 100);
    const body = await expectStatus(409, copied('elsewhere', repository));
    expect(body).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    const blob = `${api.registry.url}/v2/${repository}/blobs/${layerOf(other)}`;
    expect((await fetch(blob, { method: 'HEAD' })).status).toBe(404);
    await expectStatus(204, root.delete(`${tags()}&tag=v1`));
    await expectStatus(201, copied('elsewhere', repository));
    expect(await used()).toBe(sizeOf(other));
  });

  it('a copy within the folder adds nothing', async () => {
    await push(image, 'v1');
    await limit(1);
    await expectStatus(201, copied(repository, `${folder}/second`));
    expect(await used()).toBe(sizeOf(image));
  });

  it('a copy leaves referrers behind that the quota has no room for', async () => {
    await push(image, 'v1', 'elsewhere');
    const subject = image.descriptor;
    const signature = buildArtifact({
      artifactType: 'application/x.signature',
      layers: [{ mediaType: 'application/x', bytes: randomBytes(30_000) }],
      subject,
    });
    await push(signature, null, 'elsewhere');
    await limit(sizeOf(image) + 100);
    const body = await expectStatus(201, copied('elsewhere', repository));
    expect(body).toMatchObject({ referrers_left: [signature.digest] });
    expect(await isThere(signature.digest)).toBe(false);
    expect(await used()).toBe(sizeOf(image));
  });

  it('a new tag of what lost its last one counts it again', async () => {
    await push(image, 'v1');
    await expectStatus(202, remove('v1'));
    await limit(sizeOf(image) - 1);
    const again = () => root.post(tags(), { source_tag: image.digest, new_tag: 'v2' });
    expect(await expectStatus(409, again())).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    await limit(sizeOf(image));
    await expectStatus(201, again());
  });

  it.each([
    [0, 'TOO_SMALL'],
    [-5, 'TOO_SMALL'],
    [1.5, 'WRONG_TYPE'],
    [2 ** 53, 'TOO_LARGE'],
    ['10 GB', 'WRONG_TYPE'],
  ])('a quota of %j is refused with its field', async (quota_bytes, code) => {
    const { status, body } = await answerOf(root.patch(`/api/folders/${folder}`, { quota_bytes }));
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ path: 'quota_bytes', code }]);
  });

  it('the quota is shown with the folder, and only administrators set it', async () => {
    const name = `${folder}.shown`;
    await expectStatus(201, root.post('/api/folders', { name, quota_bytes: 2 ** 53 - 1 }));
    for (const path of ['', '/gate', '/overview'])
      expect(await json(root.get(`/api/folders/${name}${path}`))).toMatchObject({
        quota_bytes: 2 ** 53 - 1,
      });
    await expectStatus(200, root.patch(`/api/folders/${name}`, { description: 'changed' }));
    expect((await json(root.get(`/api/folders/${name}`))).quota_bytes).toBe(2 ** 53 - 1);
    await api.account(`user${count}`);
    const user = await api.as(`user${count}`);
    await expectStatus(403, user.patch(`/api/folders/${name}`, { quota_bytes: null }));
  });
});

function remove(reference: string): Promise<Response> {
  const url = `${api.url}/v2/${repository}/manifests/${reference}`;
  return fetch(url, { method: 'DELETE', headers: BASIC });
}
