import { createHash, randomBytes } from 'node:crypto';
import { buildArtifact, buildImage, sha256 } from '@portcullis/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { verified } from '../copy/verified.ts';
import { DOCKER_MANIFEST, OCI_INDEX, OCI_MANIFEST } from '../model/media-type.ts';
import { bytesOf, chunked, randomBlob } from '../target-contract/content.ts';
import {
  blobDescriptor,
  type Handler,
  json,
  repositoryAt,
  startServer,
  transportOf,
} from './http/server.contract.ts';
import { ping } from './ping.ts';
import { openRepository, type Repository } from './repository.ts';

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
    const content = verified(await repository.fetch(descriptor), descriptor);
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
    const content = verified(await repositoryAt(server).fetch(descriptor), descriptor);
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
    const content = verified(await repositoryAt(server).fetch(descriptor), descriptor);
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
    const content = verified(await repositoryAt(server).fetch(descriptor), descriptor);
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
  ])('answered with %d is %s, without the registry’s message', async (status, kind) => {
    const server = await startServer((_, response) =>
      json(
        response,
        status,
        { errors: [{ code: 'NAME_UNKNOWN', message: 'psst secret' }] },
        { 'retry-after': '0' },
      ),
    );
    const repository = repositoryAt(server, { transport: transportOf({ retries: 1 }) });
    const error = await repository.resolve('v1').catch((each: unknown) => each);
    expect(error).toMatchObject({ kind, detail: { host: server.host, status } });
    expect(`${error} ${JSON.stringify(error)}`).not.toContain('psst');
  });
});

describe('a token', () => {
  const credentials = { username: 'me', password: 'hunter2' };

  /** A registry on 127.0.0.1 whose challenge names a realm. */
  async function startGuarded(
    realm: () => string,
    accept: (token?: string) => boolean = (token) => token === 'Bearer good',
  ) {
    return startServer((request, response) => {
      if (!accept(request.headers.authorization)) {
        const challenge = `Bearer realm="${realm()}",service="reg",scope="repository:team/app:pull"`;
        json(
          response,
          401,
          { errors: [{ code: 'UNAUTHORIZED' }] },
          { 'www-authenticate': challenge },
        );
      } else json(response, 200, { tags: ['a'] });
    });
  }

  it('is requested once per set of scopes by concurrent requests', async () => {
    const realm = await startServer((_, response) =>
      json(response, 200, { token: 'good', expires_in: 300 }),
    );
    const server = await startGuarded(() => `${realm.url}/token`);
    const repository = repositoryAt(server, { credentials });
    await Promise.all(Array.from({ length: 5 }, () => repository.tags()));
    await repository.tags();
    expect(realm.requests).toHaveLength(1);
    const url = new URL(realm.requests[0]?.url ?? '', realm.url);
    expect(url.searchParams.getAll('scope')).toEqual(['repository:team/app:pull']);
    expect(url.searchParams.get('service')).toBe('reg');
    expect(realm.requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('me:hunter2').toString('base64')}`,
    );
  });

  it('from a realm on another domain is requested without credentials', async () => {
    const realm = await startServer((_, response) => json(response, 200, { access_token: 'good' }));
    const server = await startGuarded(() => `http://localhost:${realm.port}/token`);
    await repositoryAt(server, { credentials }).tags();
    expect(realm.requests[0]?.headers.authorization).toBeUndefined();
    expect(realm.requests[0]?.url).not.toContain('me');
  });

  it('is not requested from a realm that the guard refuses', async () => {
    const realm = await startServer((_, response) => json(response, 200, { token: 'good' }));
    const server = await startGuarded(() => `${realm.url}/token`);
    const transport = transportOf({
      guard: ({ port }) =>
        port === realm.port
          ? { allowed: false, code: 'EGRESS_REFUSED', reason: 'no' }
          : { allowed: true },
    });
    await expect(repositoryAt(server, { transport }).tags()).rejects.toMatchObject({
      code: 'EGRESS_REFUSED',
    });
    expect(realm.connections()).toBe(0);
  });

  it('that has expired is renewed before it is used', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let [given, valid] = [0, ''];
    const realm = await startServer((_, response) => {
      valid = `t${++given}`;
      json(response, 200, { token: valid, expires_in: 300 });
    });
    const server = await startGuarded(
      () => realm.url,
      (token) => token === `Bearer ${valid}`,
    );
    const repository = repositoryAt(server);
    await repository.tags();
    vi.setSystemTime(Date.now() + 300_000);
    await repository.tags();
    expect(given).toBe(2);
    expect(server.requests).toHaveLength(3);
  });

  it('that the registry rejects is renewed once', async () => {
    let given = 0;
    let accepted = 1;
    const realm = await startServer((_, response) =>
      json(response, 200, { token: `t${++given}`, expires_in: 300 }),
    );
    const server = await startGuarded(
      () => realm.url,
      (token) => token === `Bearer t${accepted}`,
    );
    const repository = repositoryAt(server);
    await repository.tags();
    accepted = 2;
    await repository.tags();
    accepted = 99;
    await expect(repository.tags()).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(given).toBe(3);
  });

  it('that is refused for the credentials is unauthenticated', async () => {
    const realm = await startServer((_, response) => json(response, 401, {}));
    const server = await startGuarded(() => realm.url);
    const error = await repositoryAt(server, { credentials })
      .tags()
      .catch((each: unknown) => each);
    expect(error).toMatchObject({
      kind: 'unauthenticated',
      message: expect.stringContaining('password'),
    });
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(
      await ping({ host: server.host, tls: 'off', transport: transportOf(), credentials }),
    ).toMatchObject({
      reachable: true,
      authenticated: false,
      catalog: false,
    });
  });

  it('is exchanged for an identity token by POST', async () => {
    const realm = await startServer((_, response) => json(response, 200, { access_token: 'good' }));
    const server = await startGuarded(() => realm.url);
    await repositoryAt(server, {
      credentials: { username: '<token>', password: 'refresh' },
    }).tags();
    expect(realm.requests[0]?.method).toBe('POST');
    const form = Object.fromEntries(new URLSearchParams(realm.requests[0]?.body.toString()));
    expect(form).toMatchObject({ refresh_token: 'refresh', client_id: 'oci-client' });
    expect(realm.requests[0]?.headers['user-agent']).toBe('oci-client');
  });

  it('is not requested after a redirect, with an identity token in the body', async () => {
    const other = await startServer((_, response) => json(response, 200, { access_token: 'good' }));
    const realm = await startServer((_, response) =>
      response.writeHead(307, { location: `http://localhost:${other.port}/token` }).end(),
    );
    const server = await startGuarded(() => realm.url);
    const repository = repositoryAt(server, {
      credentials: { username: '<token>', password: 'refresh' },
    });
    await expect(repository.tags()).rejects.toMatchObject({ kind: 'invalid' });
    expect(other.requests).toHaveLength(0);
  });

  it('is never requested for a host after a redirect', async () => {
    const realm = await startServer((_, response) => json(response, 200, { token: 'good' }));
    const other = await startGuarded(() => realm.url);
    const server = await startServer((_, response) =>
      response.writeHead(302, { location: `http://localhost:${other.port}/` }).end(),
    );
    await expect(repositoryAt(server, { credentials }).tags()).rejects.toMatchObject({
      kind: 'unauthenticated',
    });
    expect(realm.requests).toHaveLength(0);
  });
});

/** Accepts uploads as the specification says; `refuse` may respond first. */
function uploads(refuse: Handler = () => undefined) {
  const stored = new Map<string, Buffer>();
  let received = Buffer.alloc(0);
  const handler: Handler = async (request, response) => {
    await refuse(request, response);
    if (response.headersSent || response.destroyed) return;
    const url = new URL(request.url, 'http://x');
    const location = '/up?state=a%20b~c';
    if (request.method === 'POST') {
      received = Buffer.alloc(0);
      response.writeHead(202, { location }).end();
    } else if (request.method === 'PATCH') {
      received = Buffer.concat([received, request.body]);
      response.writeHead(202, { location, range: `0-${received.length - 1}` }).end();
    } else if (request.method === 'GET') {
      response.writeHead(204, { location, range: `0-${Math.max(0, received.length - 1)}` }).end();
    } else if (request.method === 'PUT') {
      stored.set(url.searchParams.get('digest') ?? '', Buffer.concat([received, request.body]));
      response.writeHead(201).end();
    }
  };
  return { handler, stored };
}

describe('an upload', () => {
  it('is one request, to the URL from the registry', async () => {
    const { handler, stored } = uploads();
    const server = await startServer(handler);
    const blob = randomBlob(300_000);
    await repositoryAt(server).push(blob.descriptor, chunked(blob.bytes).open);
    expect(stored.get(blob.descriptor.digest)?.equals(blob.bytes)).toBe(true);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'PUT']);
    expect(server.requests[1]?.url).toMatch(/^\/up\?state=a%20b~c&digest=sha256%3A/);
    expect(server.requests[1]?.headers['content-length']).toBe('300000');
  });

  it.each([404, 405, 411, 413, 415, 416, 501])(
    'uses chunks where the registry answers %d to a monolithic one',
    async (status) => {
      const { handler, stored } = uploads(({ method, body }, response) => {
        if (method === 'PUT' && body.length > 0) response.writeHead(status).end();
      });
      const server = await startServer(handler);
      const blob = randomBlob(9 * 1024 * 1024);
      await repositoryAt(server).push(blob.descriptor, chunked(blob.bytes).open);
      expect(stored.get(blob.descriptor.digest)?.equals(blob.bytes)).toBe(true);
      const ranges = server.requests
        .filter(({ method }) => method === 'PATCH')
        .map(({ headers }) => headers['content-range']);
      expect(ranges).toEqual(['0-8388607', '8388608-9437183']);
    },
  );

  it('uses smaller chunks where a proxy accepts no larger ones', async () => {
    const { handler, stored } = uploads(({ body }, response) => {
      if (body.length > 3_000_000) response.writeHead(413).end();
    });
    const server = await startServer(handler);
    const blob = randomBlob(5_000_001);
    await repositoryAt(server).push(blob.descriptor, chunked(blob.bytes).open);
    expect(stored.get(blob.descriptor.digest)?.equals(blob.bytes)).toBe(true);
  });

  it.each([
    ['before the registry stored it', false],
    ['after the registry stored it', true],
  ])('in chunks survives a response that was lost %s', async (_, taken) => {
    let lost = false;
    const { handler, stored } = uploads(async (request, response) => {
      if (request.method === 'PUT' && request.body.length > 0) response.writeHead(413).end();
      if (request.method !== 'PATCH' || lost) return;
      lost = true;
      if (taken) {
        const sink = { headersSent: false, writeHead: () => sink, end: () => undefined };
        await handler(request, sink as never);
      }
      response.destroy();
    });
    const server = await startServer(handler);
    const blob = randomBlob(9 * 1024 * 1024);
    await repositoryAt(server).push(blob.descriptor, chunked(blob.bytes).open);
    expect(stored.get(blob.descriptor.digest)?.equals(blob.bytes)).toBe(true);
  });

  it('that breaks off is repeated from the start', async () => {
    let broken = 0;
    const { handler, stored } = uploads(({ method }, response) => {
      if (method === 'PUT' && broken++ < 2) response.destroy();
    });
    const server = await startServer(handler);
    const blob = randomBlob(100_000);
    const source = chunked(blob.bytes);
    await repositoryAt(server).push(blob.descriptor, source.open);
    expect(source.opened).toBe(3);
    expect(stored.get(blob.descriptor.digest)?.equals(blob.bytes)).toBe(true);
  });

  it('on another host has no credentials', async () => {
    const store = uploads();
    const other = await startServer(store.handler);
    const server = await startServer((request, response) => {
      if (request.headers.authorization)
        response.writeHead(202, { location: `http://localhost:${other.port}/up` }).end();
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });
    const blob = randomBlob(1000);
    const credentials = { username: 'me', password: 'hunter2' };
    await repositoryAt(server, { credentials }).push(blob.descriptor, chunked(blob.bytes).open);
    expect(store.stored.get(blob.descriptor.digest)?.equals(blob.bytes)).toBe(true);
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('stops at a refusal before all bytes are sent', async () => {
    const server = await startServer(uploads().handler);
    const refusing = await startServer(() => undefined);
    const repository = openRepository({
      host: refusing.host,
      repository: 'a',
      tls: 'off',
      transport: transportOf(),
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('cancelled')), 50);
    const endless = {
      offset: 0,
      cancel() {},
      async *[Symbol.asyncIterator]() {
        yield new Uint8Array(1);
        await new Promise(() => undefined);
      },
    };
    await expect(
      repository.push(randomBlob(10).descriptor, async () => endless, {
        signal: controller.signal,
      }),
    ).rejects.toThrow('cancelled');
    await expect(
      repositoryAt(server).push(randomBlob(10).descriptor, async () => endless, {
        signal: AbortSignal.timeout(100),
      }),
    ).rejects.toThrow();
  });
});

describe('a mount', () => {
  it('requests rights for both repositories, and accepts a refusal', async () => {
    const realm = await startServer((_, response) => json(response, 200, { token: 'good' }));
    const server = await startServer(({ headers }, response) => {
      if (headers.authorization) response.writeHead(403).end();
      else response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm.url}"` }).end();
    });
    expect(await repositoryAt(server).mount(randomBlob(1).descriptor, 'other/app')).toBe(false);
    expect(new URL(realm.requests[0]?.url ?? '', realm.url).searchParams.getAll('scope')).toEqual([
      'repository:other/app:pull',
      'repository:team/app:pull,push',
    ]);
  });

  it('that becomes an upload session is used for it', async () => {
    const { handler } = uploads();
    const server = await startServer(handler);
    const repository = repositoryAt(server);
    const blob = randomBlob(10);
    expect(await repository.mount(blob.descriptor, 'other/app')).toBe(false);
    await repository.push(blob.descriptor, chunked(blob.bytes).open);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'PUT']);
  });

  /**
   * Mounts the blobs of `other/app`; `own` is its response to a mount from the target repository
   * itself.
   */
  function mounting(own: number) {
    const { handler, stored } = uploads();
    return {
      stored,
      handler: ((request, response) => {
        if (request.url.includes('from=other')) response.writeHead(201).end();
        else if (request.method === 'HEAD') response.writeHead(404).end();
        else if (request.url.includes('from=team') && own !== 202) response.writeHead(own).end();
        else return handler(request, response);
      }) satisfies Handler,
    };
  }

  it.each([
    ['reports an existing blob in response to a mount request', 201, true, ['POST']],
    [
      'begins the upload of a missing blob in response to the same request',
      202,
      true,
      ['POST', 'PUT'],
    ],
    ['gets a HEAD where it does neither', 404, true, ['POST', 'HEAD', 'POST', 'PUT']],
    ['gets a HEAD where nothing is pushed', 201, false, ['HEAD']],
  ])('a registry that has mounted before %s', async (_, own, pushing, expected) => {
    const { handler, stored } = mounting(own);
    const server = await startServer(handler);
    const transport = transportOf();
    await repositoryAt(server, { transport }).mount(randomBlob(1).descriptor, 'other/app');
    server.requests.length = 0;
    const repository = repositoryAt(server, { transport });
    const blob = randomBlob(10);
    const there = await repository.exists(blob.descriptor, { pushing });
    if (!there && pushing) await repository.push(blob.descriptor, chunked(blob.bytes).open);
    expect(server.requests.map(({ method }) => method)).toEqual(expected);
    expect(stored.has(blob.descriptor.digest)).toBe(expected.includes('PUT'));
  });

  it.each([
    ['a registry that never mounted', async () => undefined],
    [
      'a registry that did neither',
      async (repository: Repository) => {
        await repository.mount(randomBlob(1).descriptor, 'other/app');
        await repository.exists(randomBlob(1).descriptor, { pushing: true });
      },
    ],
  ])('%s does not get the combined request', async (_, before) => {
    const server = await startServer(mounting(404).handler);
    const transport = transportOf();
    await before(repositoryAt(server, { transport }));
    server.requests.length = 0;
    await repositoryAt(server, { transport }).exists(randomBlob(1).descriptor, { pushing: true });
    expect(server.requests.map(({ method }) => method)).toEqual(['HEAD']);
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
    const names = Array.from({ length: 200_000 }, (_, n) => `t${n}`);
    let pages = 0;
    const server = await startServer((_, response) => {
      pages += 1;
      json(
        response,
        200,
        { tags: names },
        { link: `</v2/app/tags/list?last=${pages}>; rel="next"` },
      );
    });
    await expect(repositoryAt(server).allTags()).rejects.toMatchObject({ kind: 'too_large' });
    expect(pages).toBe(3);
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
