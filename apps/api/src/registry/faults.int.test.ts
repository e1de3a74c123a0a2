/** Faults of the local registry that clients must not notice. */
import { createHash } from 'node:crypto';
import { json, pushImage, scratchImage, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, codeOf, raw, type StartedV2, startV2 } from './v2.fixture.ts';

let v2: StartedV2;
let image: TestImage;

beforeAll(async () => {
  v2 = await startV2();
  image = await scratchImage();
  await pushImage(v2.registry.url, 'team/app', '1', image);
});

afterAll(() => v2?.stop());

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const blob = () => image.blobs[0]?.descriptor ?? image.descriptor;
const UNKNOWN = `sha256:${'0'.repeat(64)}`;

async function begin(): Promise<string> {
  const started = await v2.ask('POST', '/v2/team/app/blobs/uploads/');
  return started.headers.get('location') ?? '';
}

const chunk = (location: string, body: string, range?: string) =>
  v2.ask('PATCH', location, { body, ...(range && { headers: { 'content-range': range } }) });

describe('an upload in chunks', () => {
  it('continues in order to its end', async () => {
    const first = await chunk(await begin(), 'a', '0-0');
    const second = await chunk(first.headers.get('location') ?? '', 'bcd', '1-3');
    expect([second.status, second.headers.get('range')]).toEqual([202, '0-3']);
    expect(second.headers.get('docker-upload-uuid')).toMatch(/^(?:stored-)?[0-9a-f-]{36}$/);
    const end = `${second.headers.get('location')}&digest=${sha256('abcd')}`;
    const ended = await v2.ask('PUT', end);
    expect([ended.status, ended.headers.get('docker-content-digest')]).toEqual([
      201,
      sha256('abcd'),
    ]);
    expect(ended.headers.get('location')).toBe(`/v2/team/app/blobs/${sha256('abcd')}`);
  });

  it.each([
    ['that leaves a gap', '9-11'],
    ['that repeats what is there', '0-2'],
    ['with an invalid range', 'nonsense'],
    ['with a reversed range', '3-1'],
  ])('a chunk %s gets 416, the stored range and the next address', async (_, range) => {
    const first = await chunk(await begin(), 'abc', '0-2');
    const refused = await chunk(first.headers.get('location') ?? '', 'def', range);
    expect([refused.status, refused.headers.get('range')]).toEqual([416, '0-2']);
    expect(await codeOf(refused)).toBe('BLOB_UPLOAD_INVALID');
    const next = await chunk(refused.headers.get('location') ?? '', 'def', '3-5');
    expect([next.status, next.headers.get('range')]).toEqual([202, '0-5']);
  });

  it('a chunk repeated to the previous address gets 416, with and without its range', async () => {
    const stale = await begin();
    await chunk(stale, 'abc', '0-2');
    for (const range of ['0-2', undefined]) {
      const again = await chunk(stale, 'abc', range);
      expect([again.status, again.headers.get('range')]).toEqual([416, '0-2']);
    }
    const uploadStatus = await v2.ask('GET', stale);
    expect([uploadStatus.status, uploadStatus.headers.get('range')]).toEqual([204, '0-2']);
    const next = await chunk(uploadStatus.headers.get('location') ?? '', 'def', '3-5');
    expect(next.status).toBe(202);
  });

  it('an address remains valid until a chunk arrives, however often the upload is queried', async () => {
    const location = await begin();
    await v2.ask('GET', location);
    expect((await chunk(location, 'abc', '0-2')).status).toBe(202);
  });

  it('a chunk whose length differs from its range gets 400', async () => {
    const short = await chunk(await begin(), 'abc', '0-9');
    expect([short.status, await codeOf(short)]).toEqual([400, 'SIZE_INVALID']);
  });

  it('a cancelled upload is unknown', async () => {
    const location = await begin();
    expect((await v2.ask('DELETE', location)).status).toBe(204);
    const gone = await v2.ask('GET', location);
    expect([gone.status, await codeOf(gone)]).toEqual([404, 'BLOB_UPLOAD_UNKNOWN']);
  });
});

describe('blobs', () => {
  it('an unsatisfiable range gets a complete 416 reply', async () => {
    const { digest, size } = blob();
    const range = `bytes=${size + 10}-${size + 20}`;
    const answer = await v2.ask('GET', `/v2/team/app/blobs/${digest}`, { headers: { range } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
    expect(await codeOf(answer)).toBe('SIZE_INVALID');
    // The connection to the registry is still usable.
    expect((await v2.ask('GET', `/v2/team/app/blobs/${digest}`)).status).toBe(200);
  });

  it.each(['blobs', 'manifests'])('HEAD of %s says what GET says', async (kind) => {
    const { digest } = kind === 'blobs' ? blob() : image.descriptor;
    const headers = { accept: image.descriptor.mediaType };
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) =>
        v2.ask(method, `/v2/team/app/${kind}/${digest}`, { headers }),
      ),
    );
    const said = ['content-length', 'content-type', 'docker-content-digest', 'etag'];
    const of = (answer: Response | undefined) => said.map((name) => answer?.headers.get(name));
    expect(of(head)).toEqual(of(get));
    expect(head?.headers.get('docker-content-digest')).toBe(digest);
    expect(await get?.arrayBuffer().then((bytes) => bytes.byteLength)).toBe(Number(of(head)[0]));
  });
});

describe('errors, each in the OCI form', () => {
  const long = 'a'.repeat(300);
  it.each([
    ['a name of 300 characters', 'GET', `/v2/${long}/tags/list`, 400, 'NAME_INVALID'],
    ['an upper-case name', 'GET', '/v2/Team/app/tags/list', 400, 'NAME_INVALID'],
    ['a digest that is none', 'GET', '/v2/team/app/blobs/sha256:xyz', 400, 'DIGEST_INVALID'],
    [
      'a manifest’s digest that is none',
      'GET',
      '/v2/team/app/manifests/sha256:xyz',
      400,
      'DIGEST_INVALID',
    ],
    ['an unknown blob', 'GET', `/v2/team/app/blobs/${UNKNOWN}`, 404, 'BLOB_UNKNOWN'],
    ['an unknown manifest', 'GET', `/v2/team/app/manifests/${UNKNOWN}`, 404, 'MANIFEST_UNKNOWN'],
    ['an unknown tag', 'GET', '/v2/team/app/manifests/none', 404, 'MANIFEST_UNKNOWN'],
    ['an unknown repository', 'GET', '/v2/team/none/tags/list', 404, 'NAME_UNKNOWN'],
    [
      'an unknown manifest to delete',
      'DELETE',
      `/v2/team/app/manifests/${UNKNOWN}`,
      404,
      'MANIFEST_UNKNOWN',
    ],
    ['an unknown blob to delete', 'DELETE', `/v2/team/app/blobs/${UNKNOWN}`, 404, 'BLOB_UNKNOWN'],
    ['an unknown tag to delete', 'DELETE', '/v2/team/app/manifests/none', 404, 'MANIFEST_UNKNOWN'],
    ['a tag that can not be one', 'PUT', '/v2/team/app/manifests/.x', 400, 'TAG_INVALID'],
    [
      'an upload to a digest that is none',
      'POST',
      '/v2/team/app/blobs/uploads/?digest=x',
      400,
      'DIGEST_INVALID',
    ],
    ['a page of -1', 'GET', '/v2/team/app/tags/list?n=-1', 400, 'PAGINATION_NUMBER_INVALID'],
  ])('%s: %s %s', async (_, method, path, status, code) => {
    const answer = await v2.ask(method, path);
    expect([answer.status, await codeOf(answer)]).toEqual([status, code]);
  });

  const put = (body: string, type = image.descriptor.mediaType, reference = 'x') =>
    v2.ask('PUT', `/v2/team/app/manifests/${reference}`, {
      body,
      headers: { 'content-type': type },
    });
  const manifest = () => JSON.parse(Buffer.from(image.bytes).toString());

  it.each([
    ['no JSON', '{', 400, 'MANIFEST_INVALID'],
    ['of 5 MiB', ' '.repeat(5 * 1024 * 1024), 413, 'SIZE_INVALID'],
    ['of docker schema 1', '{"schemaVersion":1}', 400, 'MANIFEST_INVALID'],
    [
      'that is an index, too',
      '{"schemaVersion":2,"manifests":[],"config":{},"layers":[]}',
      400,
      'MANIFEST_INVALID',
    ],
    [
      'of manifests that brings one along',
      JSON.stringify({
        schemaVersion: 2,
        manifests: [
          {
            mediaType: 'application/vnd.oci.image.manifest.v1+json',
            digest: UNKNOWN,
            size: 2,
            data: 'e30=',
          },
        ],
      }),
      400,
      'MANIFEST_INVALID',
    ],
  ])('a manifest %s', async (_, body, status, code) => {
    const answer = await put(body);
    expect([answer.status, await codeOf(answer)]).toEqual([status, code]);
  });

  it('a manifest of unknown layers, and one put under another digest', async () => {
    const layers = [{ mediaType: 'application/octet-stream', digest: UNKNOWN, size: 3 }];
    const dangling = await put(JSON.stringify({ ...manifest(), layers }));
    expect([dangling.status, await codeOf(dangling)]).toEqual([400, 'MANIFEST_BLOB_UNKNOWN']);
    const other = await put(JSON.stringify(manifest()), undefined, UNKNOWN);
    expect([other.status, await codeOf(other)]).toEqual([400, 'DIGEST_INVALID']);
  });

  it('a chunked manifest of unknown length is accepted like one of known length', async () => {
    const { host } = new URL(v2.url);
    const body = Buffer.from(image.bytes).toString();
    const head = [
      'PUT /v2/team/app/manifests/chunked HTTP/1.1',
      `Host: ${host}`,
      `Authorization: ${basic('writer').authorization}`,
      `Content-Type: ${image.descriptor.mediaType}`,
      'Transfer-Encoding: chunked',
      'Connection: close',
    ].join('\r\n');
    const size = Buffer.byteLength(body).toString(16);
    const answer = await raw(v2.url, `${head}\r\n\r\n${size}\r\n${body}\r\n0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 201 /);
    expect(answer).toContain(image.digest);
  });
});

describe('tags', () => {
  const TAGS = ['b', 'A', 'a', 'C', '10', '2', '_x', 'B'];
  const SORTED = ['10', '2', '_x', 'A', 'a', 'B', 'b', 'C'];
  const list = async (query: string) => {
    const answer = await v2.ask('GET', `/v2/team/tags/tags/list${query}`);
    const page = (await json(answer)) as { name: string; tags: string[] };
    return { ...page, link: answer.headers.get('link') };
  };

  beforeAll(async () => {
    for (const tag of TAGS) await pushImage(v2.registry.url, 'team/tags', tag, image);
  });

  it('are sorted case-insensitively', async () => {
    expect(await list('')).toEqual({ name: 'team/tags', tags: SORTED, link: null });
  });

  it.each([
    ['?n=0', [], null],
    ['?n=3', ['10', '2', '_x'], '</v2/team/tags/tags/list?last=_x&n=3>; rel="next"'],
    ['?n=3&last=_x', ['A', 'a', 'B'], '</v2/team/tags/tags/list?last=B&n=3>; rel="next"'],
    ['?n=3&last=B', ['b', 'C'], null],
    ['?n=8', SORTED, null],
    ['?n=999999999', SORTED, null],
    ['?last=zzz', [], null],
  ])('%s gives %j', async (query, tags, link) => {
    expect(await list(query)).toEqual({ name: 'team/tags', tags, link });
  });
});

describe('events of manifests', () => {
  it('a stored manifest with its bytes after the registry has it, and a removed one', async () => {
    v2.reset();
    const body = Buffer.from(image.bytes);
    const headers = { 'content-type': image.descriptor.mediaType };
    for (const reference of ['events', image.digest])
      await v2.ask('PUT', `/v2/team/app/manifests/${reference}`, { body, headers });
    await v2.ask('PUT', '/v2/team/app/manifests/events', { body: '{}', headers });
    expect(v2.stored.map(({ tag, digest, by }) => [tag, digest, by.username])).toEqual([
      ['events', image.digest, 'writer'],
      [null, image.digest, 'writer'],
    ]);
    expect(v2.stored[0]).toMatchObject({
      repository: 'team/app',
      mediaType: image.descriptor.mediaType,
    });
    expect(v2.stored[0]?.bytes.equals(body)).toBe(true);
    await v2.ask('DELETE', `/v2/team/app/manifests/${image.digest}`);
    await v2.ask('DELETE', `/v2/team/app/manifests/${UNKNOWN}`);
    expect(v2.removed).toEqual([{ repository: 'team/app', reference: image.digest }]);
  });
});
