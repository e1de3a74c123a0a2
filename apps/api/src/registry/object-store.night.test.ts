/**
 * O16: a registry with a bucket as its storage, behind the gate: clients receive all bytes from the
 * gate.
 */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Writable } from 'node:stream';
import { createTransport, openRepository } from '@portcullis/oci/remote';
import { createLogger } from '@portcullis/runtime';
import {
  buildArtifact,
  buildImage,
  buildIndex,
  json,
  pushImage,
  sha256,
  startS3,
  streamDown,
  streamUp,
  type TestImage,
  type TestS3,
} from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { as, basic, codeOf, type StartedV2, startV2 } from './v2.fixture.ts';

const credentials = { username: 'writer', password: 'writerwriter' };

let store: TestS3;
beforeAll(async () => {
  store = await startS3();
});
afterAll(() => store?.stop());

const secretsOf = ({ url, credentials: { accessKeyId, secretAccessKey } }: TestS3) => [
  new URL(url).host,
  accessKeyId,
  secretAccessKey,
  'X-Amz',
];

describe.each([
  ['that redirects readers to the store', true],
  ['that reads the store itself', false],
])('a registry %s', (_, redirect) => {
  let v2: StartedV2;
  let image: TestImage;
  const logged: string[] = [];

  beforeAll(async () => {
    const root = redirect ? 'with/redirects' : 'without';
    const destination = new Writable({
      write(chunk, _encoding, done) {
        logged.push(String(chunk));
        done();
      },
    });
    const log = createLogger({ name: 'gate', level: 'trace', destination });
    const storage = { ...store.storage, root, redirect };
    v2 = await startV2({ storage }, { storeOrigins: redirect ? [store.url] : [], log });
    image = await buildImage({
      layers: [{ base: 'a' }, { top: randomBytes(200_000).toString('hex') }],
    });
    await pushImage(v2.url, 'team/app', '1', image, { credentials });
  });
  afterAll(async () => {
    await v2?.stop();
    for (const secret of secretsOf(store)) expect(logged.join('\n')).not.toContain(secret);
  });

  const layer = () => image.blobs.at(-1) ?? image;
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(v2.url + path, as('writer', { method, headers }));
  const blobPath = () => `/v2/team/app/blobs/${layer().descriptor.digest}`;

  it('redirects or not, as the test assumes', async () => {
    const direct = await fetch(v2.registry.url + blobPath(), { redirect: 'manual' });
    expect(direct.status).toBe(redirect ? 307 : 200);
    await direct.body?.cancel();
  });

  it('a blob is served by the gate with its digest and size, and without the store’s address', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(method, blobPath());
      expect(answer.status).toBe(200);
      const { digest, size } = layer().descriptor;
      expect(answer.headers.get('docker-content-digest')).toBe(digest);
      expect(answer.headers.get('content-length')).toBe(String(size));
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
      expect(answer.headers.get('location')).toBeNull();
      const shown = JSON.stringify([...answer.headers]);
      for (const secret of secretsOf(store)) expect(shown).not.toContain(secret);
      if (method === 'GET') expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(digest);
    }
  });

  it.each([
    ['from an offset', (size: number) => `bytes=${size - 5}-`, 206, 5],
    ['in the middle', () => 'bytes=10-19', 206, 10],
    ['the last bytes', () => 'bytes=-7', 206, 7],
    ['beyond the end', (size: number) => `bytes=${size}-`, 416, null],
  ])('a range %s', async (_, range, status, length) => {
    const { bytes, descriptor } = layer();
    const answer = await ask('GET', blobPath(), { range: range(descriptor.size) });
    expect(answer.status).toBe(status);
    const body = Buffer.from(await answer.arrayBuffer());
    if (length === null) return;
    expect(answer.headers.get('content-range')).toMatch(
      new RegExp(`^bytes \\d+-\\d+/${descriptor.size}$`),
    );
    expect(body).toHaveLength(length);
    expect(Buffer.from(bytes).includes(body)).toBe(true);
  });

  it('If-None-Match and If-Range apply', async () => {
    const first = await ask('HEAD', blobPath());
    const etag = first.headers.get('etag') ?? '';
    expect((await ask('GET', blobPath(), { 'if-none-match': etag })).status).toBe(304);
    const range = { range: 'bytes=0-3' };
    expect((await ask('GET', blobPath(), { ...range, 'if-range': etag })).status).toBe(206);
  });

  it('a missing blob is unknown', async () => {
    const answer = await ask('GET', `/v2/team/app/blobs/sha256:${'0'.repeat(64)}`);
    expect([answer.status, await codeOf(answer)]).toEqual([404, 'BLOB_UNKNOWN']);
  });

  it('a blob of many parts is uploaded and downloaded as a stream', async () => {
    const end = { url: v2.url, repository: 'team/large', ...basic('writer') };
    // Above 32 MiB the registry moves the blob with UploadPartCopy.
    const digest = await streamUp(end, 40);
    expect(await streamDown(end, digest)).toBe(digest);
  });

  it('the request to the store is cancelled when the client disconnects', async () => {
    const end = { url: v2.url, repository: 'team/cut', ...basic('writer') };
    const digest = await streamUp(end, 24);
    const before = sockets();
    for (let n = 0; n < 20; n++) await cut(`${v2.url}/v2/team/cut/blobs/${digest}`);
    await expect.poll(sockets).toBeLessThan(before + 5);
    expect(await streamDown(end, digest)).toBe(digest);
  });

  it('an image is mounted, tagged, listed, referred to and deleted', async () => {
    const mounted = await ask(
      'POST',
      `/v2/team/copy/blobs/uploads/?mount=${layer().descriptor.digest}&from=team/app`,
    );
    expect(mounted.status).toBe(201);
    const signature = buildArtifact({
      subject: image.descriptor,
      artifactType: 'application/x.signature',
      layers: [{ mediaType: 'application/x.signature', bytes: Buffer.from('signed') }],
    });
    const index = await buildIndex([image]);
    await pushImage(v2.url, 'team/app', null, signature, { credentials });
    await pushImage(v2.url, 'team/app', 'all', index, { credentials });
    const listed = await ask('GET', '/v2/team/app/tags/list');
    expect(await json(listed)).toEqual({ name: 'team/app', tags: ['1', 'all'] });
    const referrers = await ask('GET', `/v2/team/app/referrers/${image.digest}`);
    expect(await json(referrers)).toMatchObject({ manifests: [{ digest: signature.digest }] });
    expect((await ask('DELETE', `/v2/team/app/manifests/all`)).status).toBe(202);
    expect((await ask('GET', `/v2/team/app/manifests/${index.digest}`)).status).toBe(200);
    expect((await ask('DELETE', `/v2/team/app/manifests/${index.digest}`)).status).toBe(202);
    expect((await ask('GET', `/v2/team/app/manifests/${index.digest}`)).status).toBe(404);
    expect((await ask('GET', '/v2/team/app/manifests/1')).status).toBe(200);
  });

  it("the product's own client reads it, from a given offset", async () => {
    const transport = createTransport({ redirectOrigins: redirect ? [store.url] : [] });
    const { host } = new URL(v2.registry.url);
    const repository = openRepository({ host, tls: 'off', transport, repository: 'team/app' });
    const { descriptor, bytes } = layer();
    const read = async (offset: number) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await repository.fetch(descriptor, { offset }))
        chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks);
    };
    expect(await repository.exists(descriptor)).toBe(true);
    expect((await read(0)).equals(bytes)).toBe(true);
    expect((await read(1000)).equals(Buffer.from(bytes).subarray(1000))).toBe(true);
    transport.close();
  });
});

describe('a registry that redirects to a store that is not allowed', () => {
  let v2: StartedV2;
  let image: TestImage;
  const logged: string[] = [];

  beforeAll(async () => {
    const destination = new Writable({
      write(chunk, _encoding, done) {
        logged.push(String(chunk));
        done();
      },
    });
    const storage = { ...store.storage, root: 'unnamed', redirect: true };
    v2 = await startV2(
      { storage },
      { log: createLogger({ name: 'gate', level: 'trace', destination }) },
    );
    image = await buildImage({ layers: [{ base: 'a' }] });
    await pushImage(v2.registry.url, 'team/app', '1', image);
  });
  afterAll(() => v2?.stop());
  beforeEach(() => void logged.splice(0));

  it('the reply is 503 without the address, and the log names only the origin', async () => {
    const before = store.requests.length;
    const answer = await fetch(
      `${v2.url}/v2/team/app/blobs/${image.blobs[0]?.descriptor.digest}`,
      as('writer'),
    );
    expect(answer.status).toBe(503);
    const text = await answer.text();
    expect(text).toContain('REGISTRY_REDIRECT_REFUSED');
    for (const secret of secretsOf(store)) expect(text).not.toContain(secret);
    expect(logged.join('\n')).toContain(`the registry redirects to ${new URL(store.url).origin}`);
    expect(logged.join('\n')).not.toContain('X-Amz');
    const reads = store.requests
      .slice(before)
      .filter((line) => /\bGET\b.*X-Amz-Signature/.test(line));
    expect(reads).toEqual([]);
  });

  it("the product's own client does not follow it either", async () => {
    const transport = createTransport({ redirectOrigins: [], retries: 0 });
    const { host } = new URL(v2.registry.url);
    const repository = openRepository({ host, tls: 'off', transport, repository: 'team/app' });
    const { descriptor } = image.blobs[0] ?? image;
    await expect(repository.fetch(descriptor)).rejects.toMatchObject({ code: 'REDIRECT_REFUSED' });
    transport.close();
  });
});

/** The sockets of this process, which includes the gate. */
function sockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}

/** Reads a few bytes and disconnects. */
function cut(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: basic('writer'), agent: false }, (answer) => {
      answer.once('data', () => answer.destroy());
      answer.once('close', resolve);
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}
