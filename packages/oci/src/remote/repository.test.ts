import { createHash, randomBytes } from 'node:crypto';
import { buildArtifact, buildImage, sha256 } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { verifyContent } from '../copy/verified.ts';
import { DOCKER_MANIFEST, OCI_INDEX, OCI_MANIFEST } from '../model/media-type.ts';
import { bytesOf, chunked } from '../target-contract/content.ts';
import {
  blobDescriptor,
  type Handler,
  json,
  repositoryAt,
  startServer,
  transportOf,
} from './http/server.contract.ts';

/** Cuts the first responses in the middle. */
function cutting(
  bytes: Buffer,
  cuts: number,
  answerRange: (from: number) => { status: number; headers: object; body: Buffer },
): Handler {
  let left = cuts;
  return (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const { status, headers, body } =
      from > 0 ? answerRange(from) : { status: 200, headers: {}, body: bytes };
    response.writeHead(status, { 'content-length': body.length, ...headers });
    if (left-- <= 0) response.end(body);
    else
      response.write(body.subarray(0, Math.ceil(body.length / 2)), () =>
        setTimeout(() => response.destroy(), 5),
      );
  };
}

describe('a blob', () => {
  const bytes = randomBytes(500_000);
  const descriptor = blobDescriptor(bytes);

  it('that is cut in the middle is resumed there', async () => {
    const range = (from: number) => ({
      status: 206,
      headers: { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` },
      body: bytes.subarray(from),
    });
    const server = await startServer(cutting(bytes, 6, range));
    const repository = repositoryAt(server, { transport: transportOf({ retries: 1 }) });
    const content = verifyContent(await repository.fetch(descriptor), descriptor);
    expect((await bytesOf(content)).equals(bytes)).toBe(true);
    expect(server.requests).toHaveLength(7);
  });

  it('of which a part is enough is not read further, and the connection serves the next request', async () => {
    const server = await startServer(({ headers }, response) => {
      const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
      const part = bytes.subarray(Number(from), Number(to) + 1);
      const range = `bytes ${from}-${to}/${bytes.length}`;
      response.writeHead(206, { 'content-length': part.length, 'content-range': range }).end(part);
    });
    const repository = repositoryAt(server);
    for (const offset of [0, 1000, 400_000]) {
      const part = await bytesOf(await repository.fetch(descriptor, { offset, length: 100 }));
      expect(part.equals(bytes.subarray(offset, offset + 100))).toBe(true);
    }
    expect(server.connections()).toBe(1);
  });

  it('of a registry without range support is read again, and the delivered bytes are skipped', async () => {
    const server = await startServer(
      cutting(bytes, 2, () => ({ status: 200, headers: {}, body: bytes })),
    );
    const content = verifyContent(await repositoryAt(server).fetch(descriptor), descriptor);
    expect((await bytesOf(content)).equals(bytes)).toBe(true);
  });

  it('that resumes at another offset is refused', async () => {
    const range = () => ({
      status: 206,
      headers: { 'content-range': `bytes 1-2/${bytes.length}` },
      body: bytes.subarray(1),
    });
    const server = await startServer(cutting(bytes, 1, range));
    await expect(bytesOf(await repositoryAt(server).fetch(descriptor))).rejects.toMatchObject({
      code: 'REGISTRY_ANSWER_INVALID',
    });
  });

  it('F2: with one byte per connection fails', async () => {
    const server = await startServer((request, response) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
      const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
      response.writeHead(from > 0 ? 206 : 200, {
        'content-length': bytes.length - from,
        'content-range': range,
      });
      response.write(bytes.subarray(from, from + 1), () => setTimeout(() => response.destroy(), 5));
    });
    const repository = repositoryAt(server, { transport: transportOf({ retries: 2 }) });
    await expect(bytesOf(await repository.fetch(descriptor))).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(server.requests.length).toBeLessThan(10);
  });

  it.each([
    ['shorter, with the right length', bytes.subarray(0, 1000), true],
    ['longer, with the right length', Buffer.concat([bytes, bytes]), true],
    ['shorter, with the right length only in range responses', bytes.subarray(0, 1000), false],
  ])('F8: that is %s is reported as such, and not requested again', async (_, has, withLength) => {
    const server = await startServer((request, response) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
      if (from >= has.length)
        response.writeHead(416, { 'content-range': `bytes */${has.length}` }).end();
      else response.writeHead(200, withLength ? { 'content-length': has.length } : {}).end(has);
    });
    const reading = async () => bytesOf(await repositoryAt(server).fetch(descriptor));
    await expect(reading()).rejects.toMatchObject({
      code: 'SIZE_MISMATCH',
      message: `${server.host} has ${has.length} bytes of ${descriptor.digest}; its manifest says ${bytes.length}`,
    });
    expect(server.requests.length).toBe(withLength ? 1 : 2);
  });

  it('that is always cut fails', async () => {
    const server = await startServer((request, response) => {
      response.writeHead(request.headers.range ? 503 : 200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 10), () => setTimeout(() => response.destroy(), 5));
    });
    const repository = repositoryAt(server, { transport: transportOf({ retries: 2 }) });
    await expect(bytesOf(await repository.fetch(descriptor))).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  it('with other bytes than its digest is detected', async () => {
    const server = await startServer((_, response) => response.end(bytes.map((byte) => byte ^ 1)));
    const content = verifyContent(await repositoryAt(server).fetch(descriptor), descriptor);
    await expect(bytesOf(content)).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
  });

  it('of HTTP/1.0 without a length that is cut is resumed too', async () => {
    const server = await startServer((request, response) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
      const headers = {
        connection: 'close',
        'content-range': `bytes ${from}-${bytes.length - 1}/*`,
      };
      response.removeHeader('transfer-encoding');
      response.useChunkedEncodingByDefault = false;
      response.writeHead(from > 0 ? 206 : 200, headers);
      response.end(bytes.subarray(from, from > 0 ? undefined : 1000));
    });
    const content = verifyContent(await repositoryAt(server).fetch(descriptor), descriptor);
    expect((await bytesOf(content)).equals(bytes)).toBe(true);
  });
});

describe('resolving', () => {
  it('is one request where the manifest is fetched next', async () => {
    const { bytes, digest } = await buildImage({ layers: [{ a: '1' }] });
    const headers = { 'content-type': OCI_MANIFEST };
    const server = await startServer((_, response) => response.writeHead(200, headers).end(bytes));
    const repository = repositoryAt(server);
    const descriptor = await repository.resolve('v1', { fetching: true });
    expect(descriptor.digest).toBe(digest);
    expect((await bytesOf(await repository.fetch(descriptor))).equals(bytes)).toBe(true);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v2/team/app/manifests/v1',
    ]);
  });

  it('falls back to GET where HEAD is incomplete, and computes the digest of the bytes', async () => {
    const { bytes, digest } = await buildImage({ layers: [{ a: '1' }] });
    const server = await startServer(({ method }, response) => {
      if (method === 'HEAD') response.writeHead(405).end();
      else response.writeHead(200, { 'content-type': `${OCI_MANIFEST}; charset=utf-8` }).end(bytes);
    });
    expect(await repositoryAt(server).resolve('v1')).toEqual({
      mediaType: OCI_MANIFEST,
      digest,
      size: bytes.length,
    });
    expect(server.requests[0]?.headers.accept).toContain(OCI_INDEX);
  });

  it.each([
    ['application/json'],
    ['text/plain; charset=utf-8'],
    ['application/octet-stream'],
    [''],
  ])('F20: reads the type from the document where the registry says %j', async (type) => {
    const { bytes, digest } = await buildImage({ layers: [{ a: '1' }], flavour: 'docker' });
    const headers = {
      ...(type !== '' && { 'content-type': type }),
      'docker-content-digest': digest,
      'content-length': bytes.length,
    };
    const server = await startServer(({ method }, response) =>
      response.writeHead(200, headers).end(method === 'HEAD' ? undefined : bytes),
    );
    for (const fetching of [true, false]) {
      const descriptor = await repositoryAt(server).resolve('v1', { fetching });
      expect(descriptor).toEqual({ mediaType: DOCKER_MANIFEST, digest, size: bytes.length });
    }
  });

  it.each([
    ['a page', 'text/html', '<html></html>', 'MANIFEST_INVALID'],
    ['JSON that is no manifest', 'application/json', '{"errors":[]}', 'MANIFEST_INVALID'],
    [
      'a type that we cannot copy',
      'application/vnd.example.v1+json',
      '{"schemaVersion":2}',
      'MANIFEST_UNSUPPORTED',
    ],
  ])('F8: %s in place of a manifest is not taken for a blob', async (_, type, body, code) => {
    const server = await startServer((_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    );
    await expect(repositoryAt(server).resolve('v1')).rejects.toMatchObject({ code });
  });

  it.each(['GET', 'HEAD'])(
    'detects a registry that reports a wrong digest (%s)',
    async (honest) => {
      const { bytes, digest } = await buildImage({ layers: [{ a: '1' }] });
      const headers = {
        'content-type': OCI_MANIFEST,
        'docker-content-digest': sha256(Buffer.from('else')),
        'content-length': bytes.length,
      };
      const server = await startServer(({ method }, response) => {
        if (method === honest) response.writeHead(200, headers).end(bytes);
        else response.writeHead(405).end();
      });
      await expect(repositoryAt(server).resolve(digest)).rejects.toMatchObject({
        code: 'DIGEST_MISMATCH',
      });
    },
  );

  it('detects other bytes under a digest', async () => {
    const [one, two] = await Promise.all([
      buildImage({ layers: [{ a: '1' }] }),
      buildImage({ layers: [{ a: '2' }] }),
    ]);
    const server = await startServer((_, response) =>
      response.writeHead(200, { 'content-type': OCI_MANIFEST }).end(two.bytes),
    );
    await expect(repositoryAt(server).fetch(one.descriptor)).rejects.toMatchObject({
      code: 'DIGEST_MISMATCH',
    });
  });

  it.each([
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [418, 'invalid'],
  ])('answered with %d is %s, with the registry’s message', async (status, kind) => {
    const server = await startServer((_, response) =>
      json(
        response,
        status,
        { errors: [{ code: 'NAME_UNKNOWN', message: 'because of it' }] },
        { 'retry-after': '0' },
      ),
    );
    const repository = repositoryAt(server, { transport: transportOf({ retries: 1 }) });
    const error = await repository.resolve('v1').catch((each: unknown) => each);
    expect(error).toMatchObject({ kind, detail: { host: server.host, status } });
    // An answer to HEAD has no body.
    if (status >= 418 && status !== 429)
      expect(`${error}`).toContain('the registry says: “because of it”');
  });
});

describe('referrers', () => {
  it('come page by page from the API', async () => {
    const image = await buildImage({ layers: [{ a: '1' }] });
    const entry = (text: string) => ({
      ...blobDescriptor(Buffer.from(text)),
      mediaType: OCI_MANIFEST,
    });
    const server = await startServer(({ url }, response) => {
      const last = url.includes('page=2');
      json(
        response,
        200,
        { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [entry(last ? 'two' : 'one')] },
        {
          'content-type': OCI_INDEX,
          ...(!last && { link: `<${url}?page=2>; rel="next"` }),
        },
      );
    });
    const found = await repositoryAt(server).referrers(image.digest);
    expect(found.map(({ digest }) => digest)).toEqual([entry('one').digest, entry('two').digest]);
  });

  it('are not recorded by us where the registry does it', async () => {
    const image = await buildImage({ layers: [{ a: '1' }] });
    const artifact = buildArtifact({ layers: [], subject: image.descriptor });
    const server = await startServer((_, response) =>
      response.writeHead(201, { 'oci-subject': image.digest }).end(),
    );
    await repositoryAt(server).push(artifact.descriptor, chunked(artifact.bytes).open);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.body.equals(artifact.bytes)).toBe(true);
  });
});

describe('a list', () => {
  it('of tags continues at the registry’s link, on no other host', async () => {
    const server = await startServer(({ url }, response) => {
      const next = url.includes('last=b')
        ? {}
        : { link: '<http://evil.example/v2/team/app/tags/list?n=2&last=b>; rel="next"' };
      json(response, 200, { name: 'x', tags: url.includes('last=b') ? ['c'] : ['a', 'b'] }, next);
    });
    expect(await repositoryAt(server).allTags()).toEqual(['a', 'b', 'c']);
    await expect(
      repositoryAt(server).tags({ cursor: 'http://evil.example/v2/' }),
    ).rejects.toMatchObject({
      code: 'CURSOR_INVALID',
    });
  });

  it('without an end is refused', async () => {
    let pages = 0;
    const server = await startServer((_, response) => {
      pages += 1;
      const names = Array.from({ length: 100_000 }, (__, n) => `t${pages}-${n}`);
      json(
        response,
        200,
        { tags: names },
        { link: `</v2/app/tags/list?last=${pages}>; rel="next"` },
      );
    });
    await expect(repositoryAt(server).allTags()).rejects.toMatchObject({ kind: 'too_large' });
    expect(pages).toBe(6);
  });

  it('with too many names on a page is refused', async () => {
    const tags = Array.from({ length: 100_001 }, (_, n) => `t${n}`);
    const server = await startServer((_, response) => json(response, 200, { tags }));
    await expect(repositoryAt(server).tags({ limit: 10 })).rejects.toMatchObject({
      ...{ kind: 'too_large', code: 'REGISTRY_ANSWER_TOO_LARGE' },
    });
  });

  it('F11: omits invalid names', async () => {
    const odd = [
      '../../etc',
      'a b',
      '<img src=x onerror=alert(1)>',
      'x'.repeat(5000),
      '',
      '-a',
      '.a',
    ];
    const server = await startServer(({ url }, response) =>
      json(
        response,
        200,
        url.includes('_catalog') ? { repositories: [...odd, 'a/b'] } : { tags: [...odd, 'v1'] },
      ),
    );
    const repository = repositoryAt(server);
    expect((await repository.tags()).items).toEqual(['v1']);
    expect(await repository.allTags()).toEqual(['v1']);
    expect((await repository.catalog()).items).toEqual(['a/b']);
  });

  it('that is null is empty, and any other value is an error', async () => {
    const answers: unknown[] = [{ tags: null }, { tags: 'x' }, []];
    const server = await startServer((_, response) => json(response, 200, answers.shift()));
    const repository = repositoryAt(server);
    expect((await repository.tags()).items).toEqual([]);
    await expect(repository.tags()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(repository.tags()).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

it('a tag stores the exact bytes that were pushed', async () => {
  const image = await buildImage({ layers: [{ a: '1' }] });
  const server = await startServer((_, response) => response.writeHead(201).end());
  const repository = repositoryAt(server);
  await repository.push(image.descriptor, chunked(image.bytes).open);
  await repository.tag(image.descriptor, 'v1');
  expect(server.requests.map(({ url }) => url)).toEqual([
    `/v2/team/app/manifests/${image.digest}`,
    '/v2/team/app/manifests/v1',
  ]);
  for (const { body, headers } of server.requests) {
    expect(createHash('sha256').update(body).digest('hex')).toBe(image.digest.slice(7));
    expect(headers['content-type']).toBe(OCI_MANIFEST);
  }
});

describe('a manifest whose digest is that of a blob', () => {
  const digest = `sha256:${'a'.repeat(64)}` as const;

  /** Distribution 3 opens the blob and answers 500. */
  const confused = (blobStatus: number) =>
    startServer(({ url }, response) => {
      response.writeHead(url?.includes('/manifests/') ? 500 : blobStatus).end();
    });

  it('is not found, which no retry changes', async () => {
    const repository = repositoryAt(await confused(200));
    await expect(repository.resolve(digest)).rejects.toMatchObject({
      kind: 'not_found',
      code: 'MANIFEST_UNKNOWN',
    });
  });

  it.each([
    ['without the blob', 404, digest],
    ['that fails with blobs, too', 500, digest],
    ['that was asked for a tag', 200, 'latest'],
  ])('is a failure of a registry %s', async (_, blobStatus, reference) => {
    const repository = repositoryAt(await confused(blobStatus));
    await expect(repository.resolve(reference)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
