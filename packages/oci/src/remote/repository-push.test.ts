import { describe, expect, it } from 'vitest';
import { chunked, randomBlob } from '../target-contract/content.ts';
import {
  type Handler,
  json,
  repositoryAt,
  startServer,
  transportOf,
} from './http/server.contract.ts';
import { openRepository } from './named/named-repository.ts';
import type { Repository } from './repository.ts';

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
