/**
 * Reads from the registry's storage: the replies are those of the registry, byte for byte and
 * header for header, whatever is asked; and they follow what is written, deleted and collected.
 */
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { storedContent } from '@portcullis/local-registry';
import { createLogger } from '@portcullis/runtime';
import {
  blobOf,
  buildIndex,
  pushBlob,
  pushImage,
  randomImage,
  scratchImage,
  sha256,
  type TestImage,
  temporaryDir,
} from '@portcullis/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, type ServedV2, type StartedV2, serveV2, startV2 } from '../v2.fixture.ts';

const BYTES = 'application/octet-stream';
const ABSENT = `sha256:${'0'.repeat(64)}`;
const NO_DIGEST = `sha512:${'0'.repeat(128)}`;

let direct: StartedV2;
let proxied: ServedV2;
let image: TestImage;
let index: TestImage;
let docker: TestImage;
let blob: Buffer;

beforeAll(async () => {
  direct = await startV2();
  proxied = await serveV2(direct.registry.loginUrl);
  image = await randomImage({ layers: 2, bytes: 30_000, compression: 'gzip' });
  index = buildIndex([image, await randomImage({ layers: 1, bytes: 1000, compression: 'gzip' })]);
  docker = await randomImage({ layers: 1, bytes: 1000, compression: 'gzip', flavour: 'docker' });
  blob = Buffer.from(Array.from({ length: 5000 }, (_, at) => at % 251));
  await pushImage(direct.registry.url, 'team/app', 'image', image);
  await pushImage(direct.registry.url, 'team/app', 'index', index);
  await pushImage(direct.registry.url, 'team/app', 'docker', docker);
  for (const bytes of [blob, Buffer.alloc(0)])
    await pushBlob(direct.registry.url, 'team/app', blobOf(BYTES, bytes));
  await pushImage(direct.registry.url, 'team/other', 'image', await scratchImage());
});
afterAll(async () => {
  await proxied?.stop();
  await direct?.stop();
});

/** What a client sees, without what differs between any two replies. */
async function seen(v2: ServedV2, method: string, at: string, headers: Record<string, string>) {
  const response = await fetch(v2.url + at, as('reader', { method, headers }));
  const kept = [...response.headers].filter(
    ([name]) => name !== 'date' && name !== 'keep-alive' && name !== 'x-request-id',
  );
  const body = Buffer.from(await response.arrayBuffer());
  // A new signature for an old client, or a new boundary between ranges, each time.
  if (/manifest.v1|multipart/.test(response.headers.get('content-type') ?? ''))
    return { status: response.status, headers: [], body: '' };
  return { status: response.status, headers: kept.sort(), body: body.toString('base64') };
}

const TYPES = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/json',
  '*/*',
  'application/vnd.oci.image.manifest.v1+json; q=0.5',
];

function requests(): fc.Arbitrary<{
  method: string;
  at: string;
  headers: Record<string, string>;
}> {
  const blobs = [sha256(blob), sha256(Buffer.alloc(0)), image.digest, ABSENT, NO_DIGEST];
  const references = [
    'image',
    'index',
    'docker',
    'unknown',
    image.digest,
    index.digest,
    ABSENT,
    NO_DIGEST,
  ];
  const offset = fc.constantFrom('', '0', '1', '4999', '5000', '17', '123456', '-1', '007');
  const range = fc.oneof(
    fc.tuple(offset, offset).map(([first, last]) => `bytes=${first}-${last}`),
    fc.constantFrom('bytes=-0', 'bytes=0-1,5-9', 'bytes = 0-9', 'items=0-9', 'bytes=', 'bytes=-'),
  );
  const tag = fc.constantFrom(
    `"${sha256(blob)}"`,
    `W/"${sha256(blob)}"`,
    sha256(blob),
    `"${image.digest}"`,
    image.digest,
    '*',
    '"other"',
  );
  const headers = fc.record(
    {
      range,
      'if-none-match': tag,
      'if-match': tag,
      'if-range': tag,
      'if-modified-since': fc.constant('Tue, 15 Nov 2022 12:45:26 GMT'),
      accept: fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }).map(String),
    },
    { requiredKeys: [] },
  );
  // Most requests have no condition, or hardly any would be answered directly.
  const given = fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: fc.record({ range }) },
    { weight: 1, arbitrary: headers },
  );
  const at = fc.oneof(
    fc.constantFrom(...blobs).map((digest) => `blobs/${digest}`),
    fc.constantFrom(...references).map((reference) => `manifests/${reference}`),
  );
  const repository = fc.oneof(
    { weight: 6, arbitrary: fc.constant('team/app') },
    { weight: 1, arbitrary: fc.constantFrom('team/other', 'team/none', 'secret/app') },
  );
  return fc.record({
    method: fc.constantFrom('GET', 'GET', 'HEAD'),
    at: fc.tuple(repository, at).map(([name, rest]) => `/v2/${name}/${rest}`),
    headers: given,
  });
}

it('answers as the registry does, byte for byte and header for header', async () => {
  await fc.assert(
    fc.asyncProperty(requests(), async ({ method, at, headers }) => {
      const [ours, theirs] = await Promise.all([
        seen(direct, method, at, headers),
        seen(proxied, method, at, headers),
      ]);
      expect(ours).toEqual(theirs);
    }),
    { numRuns: 400 },
  );
});

describe('without the registry, which is stopped', () => {
  it.each([
    ['a blob', () => `blobs/${sha256(blob)}`, 200, {}],
    ['a range of it', () => `blobs/${sha256(blob)}`, 206, { range: 'bytes=5-9' }],
    ['a manifest that was read before, by its tag', () => 'manifests/image', 200, {}],
    ['a manifest that was read before, by its digest', () => `manifests/${image.digest}`, 200, {}],
    ['an index that was read before', () => 'manifests/index', 200, {}],
    ['what the repository does not have', () => `blobs/${ABSENT}`, 503, {}],
  ])('serves %s', async (_, at, status, headers) => {
    await using dir = await temporaryDir();
    await using registry = await startV2({ storageDir: dir.path });
    await pushImage(registry.registry.url, 'team/app', 'image', image);
    await pushImage(registry.registry.url, 'team/app', 'index', index);
    await pushBlob(registry.registry.url, 'team/app', blobOf(BYTES, blob));
    for (const reference of ['image', 'index'])
      await (await registry.ask('GET', `/v2/team/app/manifests/${reference}`)).arrayBuffer();
    await registry.registry.stop();
    const response = await registry.ask('GET', `/v2/team/app/${at()}`, { headers });
    expect(response.status).toBe(status);
  });
});

describe('a HEAD of a blob that the repository lacks', () => {
  async function upload(v2: ServedV2, bytes: Buffer): Promise<number> {
    const begun = await v2.ask('POST', '/v2/team/app/blobs/uploads/');
    const end = `${begun.headers.get('location')}&digest=${sha256(bytes)}`;
    return (await v2.ask('PUT', end, { body: new Uint8Array(bytes) })).status;
  }
  const head = (v2: ServedV2, digest: string) =>
    seen(v2, 'HEAD', `/v2/team/app/blobs/${digest}`, {});

  it('is answered without the registry, as it answered, once it has confirmed the storage', async () => {
    await using dir = await temporaryDir();
    await using v2 = await startV2({ storageDir: dir.path });
    await pushImage(v2.registry.url, 'team/app', 'image', image);
    const asked = await head(v2, ABSENT);
    expect(asked.status).toBe(404);
    expect(await upload(v2, blob)).toBe(201);
    await v2.registry.stop();
    expect(await head(v2, sha256(Buffer.from('another')))).toEqual(asked);
    expect((await head(v2, sha256(blob))).status).toBe(200);
    expect((await head(v2, NO_DIGEST)).status).toBe(503);
  });

  it('is answered by the registry where nothing has confirmed the storage', async () => {
    await using dir = await temporaryDir();
    await using v2 = await startV2({ storageDir: dir.path });
    expect((await head(v2, ABSENT)).status).toBe(404);
    await v2.registry.stop();
    expect((await head(v2, ABSENT)).status).toBe(503);
  });
});

it('compares the sizes that a manifest states with those of the storage', async () => {
  await using dir = await temporaryDir();
  await using v2 = await startV2({ storageDir: dir.path });
  await pushImage(v2.registry.url, 'team/app', 'image', image);
  await v2.registry.stop();
  const { config, ...rest } = JSON.parse(Buffer.from(image.bytes).toString());
  const stated = { ...rest, config: { ...config, size: config.size + 1 } };
  const response = await v2.ask('PUT', '/v2/team/app/manifests/wrong', {
    headers: { 'content-type': image.descriptor.mediaType },
    body: JSON.stringify(stated),
  });
  expect([response.status, (await response.json()).errors[0].code]).toEqual([400, 'SIZE_INVALID']);
});

it("serves blobs from a network's file system, and leaves tags and manifests to the registry", async () => {
  await using dir = await temporaryDir();
  const storage = { ...storedContent(dir.path), isFresh: () => false };
  await using v2 = await startV2({ storageDir: dir.path }, { storage });
  await pushImage(v2.registry.url, 'team/app', 'image', image);
  const at = (place: string) => `/v2/team/app/${place}`;
  await (await v2.ask('GET', at('manifests/image'))).arrayBuffer();
  await v2.registry.stop();
  const [config] = image.blobs;
  expect((await v2.ask('GET', at(`blobs/${config?.descriptor.digest}`))).status).toBe(200);
  expect((await v2.ask('GET', at('manifests/image'))).status).toBe(503);
  expect((await v2.ask('GET', at(`manifests/${image.digest}`))).status).toBe(503);
});

describe('what is written and deleted is followed at once', () => {
  it('a tag that moves, in a hundred moves', async () => {
    const images = await Promise.all([1, 2].map(() => randomImage({ layers: 1, bytes: 100 })));
    for (let turn = 0; turn < 50; turn += 1)
      for (const each of images) {
        await pushImage(direct.registry.url, 'team/moves', 'latest', each);
        const response = await direct.ask('GET', '/v2/team/moves/manifests/latest');
        expect(response.headers.get('docker-content-digest')).toBe(each.digest);
        await response.arrayBuffer();
      }
  });

  it('a manifest that is deleted and pushed again', async () => {
    const put = () => pushImage(direct.registry.url, 'team/again', 'latest', image);
    const read = async (reference: string) =>
      (await direct.ask('GET', `/v2/team/again/manifests/${reference}`)).status;
    await put();
    expect(await read('latest')).toBe(200);
    await direct.ask('DELETE', `/v2/team/again/manifests/${image.digest}`);
    expect([await read('latest'), await read(image.digest)]).toEqual([404, 404]);
    await put();
    expect([await read('latest'), await read(image.digest)]).toEqual([200, 200]);
  });

  it('a blob that is deleted, while an earlier reader receives all of it', async () => {
    const large = Buffer.alloc(8 << 20, 'x');
    await pushBlob(direct.registry.url, 'team/large', blobOf(BYTES, large));
    const at = `/v2/team/large/blobs/${sha256(large)}`;
    const reading = await direct.ask('GET', at);
    await direct.ask('DELETE', at);
    const storage = direct.registry.storageDir;
    await rm(path.join(storage, 'docker/registry/v2/blobs/sha256', sha256(large).slice(7, 9)), {
      recursive: true,
    });
    expect((await reading.arrayBuffer()).byteLength).toBe(large.length);
    expect((await direct.ask('GET', at)).status).toBe(404);
  });

  it('a manifest is not served in another repository', async () => {
    expect((await direct.ask('GET', '/v2/team/app/manifests/image')).status).toBe(200);
    expect((await direct.ask('GET', `/v2/team/none/manifests/${image.digest}`)).status).toBe(404);
    expect((await direct.ask('GET', `/v2/team/none/blobs/${sha256(blob)}`)).status).toBe(404);
  });
});

describe('where REGISTRY_STORAGE is wrong', () => {
  async function served(storageDir: string) {
    const warnings: string[] = [];
    const log = createLogger({ name: 'test', level: 'silent' });
    log.warn = ((...args: unknown[]) => void warnings.push(String(args.at(-1)))) as typeof log.warn;
    const v2 = await serveV2(direct.registry.loginUrl, { storage: storedContent(storageDir), log });
    return { v2, warnings, [Symbol.asyncDispose]: () => v2.stop() };
  }

  it('an older copy of the storage is noticed by the first manifest that it lacks', async () => {
    await using dir = await temporaryDir();
    await cp(direct.registry.storageDir, dir.path, { recursive: true });
    const newer = await randomImage({ layers: 1, bytes: 100 });
    await pushImage(direct.registry.url, 'team/newer', 'latest', newer);
    await using copy = await served(dir.path);
    await (await copy.v2.ask('GET', '/v2/team/newer/manifests/latest')).arrayBuffer();
    await expect.poll(() => copy.warnings).toEqual([expect.stringContaining('is not the storage')]);
    // From now on even what the copy has is not read there.
    const at = `/v2/team/newer/blobs/${newer.blobs[0]?.descriptor.digest}`;
    await direct.ask('DELETE', at);
    expect((await copy.v2.ask('GET', at)).status).toBe(404);
  });

  it('what cannot be read is answered by the registry, and said once', async () => {
    await using dir = await temporaryDir();
    await mkdir(path.join(dir.path, 'docker'));
    const loop = path.join(dir.path, 'docker', 'registry');
    await symlink(loop, loop);
    await using broken = await served(dir.path);
    for (let turn = 0; turn < 2; turn += 1)
      expect((await broken.v2.ask('GET', `/v2/team/app/blobs/${sha256(blob)}`)).status).toBe(200);
    expect(broken.warnings).toEqual([expect.stringContaining("can't be read")]);
  });
});
