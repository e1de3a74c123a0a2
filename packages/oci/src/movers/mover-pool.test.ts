import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCertificate, temporaryDir } from '@portcullis/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MoveOptions, PushOptions } from '../copy/content.ts';
import { type BlobCache, openBlobCache } from '../layout/blob-cache.ts';
import { createSealer, createSealKey } from '../layout/seal.ts';
import { createAddressGuard } from '../remote/http/guard.ts';
import {
  blobDescriptor,
  type Handler,
  json,
  repositoryAt,
  startProxy,
  startServer,
  type TestHttpServer,
  transportOf,
} from '../remote/http/server.contract.ts';
import type { TransportOptions } from '../remote/http/transport.ts';
import type { RepositoryOptions } from '../remote/repository.ts';
import type { BlobMovers } from './blob-movers.ts';
import { createMoverPool, type MoverPoolOptions } from './mover-pool.ts';

const MIB = 1024 * 1024;
const CRASHING = new URL('./crashing-thread.contract.ts', import.meta.url);

const bytes = randomBytes(4 * MIB + 7);
const blob = blobDescriptor(bytes);

function poolOf(options: MoverPoolOptions = {}): BlobMovers {
  const pool = createMoverPool({ threads: 2, ...options });
  onTestFinished(() => pool.close());
  return pool;
}

interface Given {
  repository?: Partial<RepositoryOptions>;
  transport?: TransportOptions;
  pool?: MoverPoolOptions;
}

/** A repository with movers, and a cache whose blobs only a thread can fill. */
async function movedFrom(server: { host: string }, given: Given = {}) {
  const dir = await temporaryDir();
  onTestFinished(() => dir.remove());
  const movers = poolOf(given.pool);
  const transport = transportOf({ retries: 1, movers, ...given.transport });
  const repository = repositoryAt(server, { ...given.repository, transport });
  const cache = openBlobCache(join(dir.path, 'cache'));
  const pull = (descriptor = blob, options: MoveOptions & Pick<PushOptions, 'onFile'> = {}) =>
    cache.store(descriptor, unopened, { ...options, move: repository.mover?.(descriptor) });
  return { cache, repository, movers, pull, file: join(dir.path, 'file'), dir: cache.dir };
}

async function unopened(): Promise<never> {
  throw new Error('this thread was to move the blob');
}

const serving: Handler = ({ headers }, response) => {
  const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
  const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
  const part = bytes.subarray(from);
  response
    .writeHead(from > 0 ? 206 : 200, {
      'content-length': part.length,
      ...(from > 0 && { 'content-range': range }),
    })
    .end(part);
};

/** Serves half of what is left, and then cuts the connection. */
function cutting(times: number): Handler {
  let left = times;
  return (request, response) => {
    if (left-- <= 0) return serving(request, response);
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const part = bytes.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': part.length,
      'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
    });
    response.write(part.subarray(0, part.length / 2), () =>
      setTimeout(() => response.destroy(), 5),
    );
  };
}

async function contentIn(cache: BlobCache, digest: string): Promise<Buffer> {
  return readFile(join(cache.dir, digest.replace(':', '/')));
}

/** Sends half of the blob, and nothing more. */
const stuck: Handler = (_, response) => {
  response.writeHead(200, { 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2));
};

describe('a large blob', () => {
  it('is moved to its file by a thread, which reports its bytes', async () => {
    const server = await startServer(serving);
    const { cache, pull } = await movedFrom(server);
    const onOpened = vi.fn();
    let moved = 0;
    await pull(blob, { onOpened, onBytes: (count) => (moved += count) });
    expect(moved).toBe(bytes.length);
    expect((await contentIn(cache, blob.digest)).equals(bytes)).toBe(true);
  });

  it.each([
    ['at once', serving],
    ['after it was cut', cutting(1)],
  ])('is sealed for who follows the file, %s', async (_, serve) => {
    const { cache, pull } = await movedFrom(await startServer(serve));
    const key = createSealKey();
    const seals: Uint8Array[] = [];
    const onFile = async () => ({
      key,
      written: (seal: Uint8Array) => void seals.push(seal),
      lost() {},
    });
    await pull(blob, { onFile });
    const sealer = createSealer(key);
    sealer.update(await contentIn(cache, blob.digest));
    expect(seals.map((seal) => Buffer.from(seal))).toEqual([Buffer.from(sealer.end())]);
  });

  it('is traced as one request, whose header the thread sends', async () => {
    const outcomes: unknown[] = [];
    const trace: TransportOptions['trace'] = ({ method, pathname }) => ({
      headers: { traceparent: `${method} ${pathname}` },
      ended: (outcome) => void outcomes.push(outcome),
    });
    const server = await startServer(cutting(1));
    const { pull } = await movedFrom(server, { transport: { trace } });
    await pull();
    const sent = server.requests.map(({ headers }) => headers.traceparent);
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent)).toEqual(new Set([`GET ${server.requests[0]?.url}`]));
    expect(outcomes).toEqual([{}]);
  });

  it('keeps idle connections for the next one', async () => {
    const server = await startServer(serving);
    const { pull, dir } = await movedFrom(server);
    await pull();
    await rm(join(dir, blob.digest.replace(':', '/')));
    await pull();
    expect(server.requests).toHaveLength(2);
    expect(server.connections()).toBe(1);
  });

  it('that is cut is resumed where it was cut', async () => {
    const server = await startServer(cutting(2));
    const { cache, pull } = await movedFrom(server);
    await pull();
    expect((await contentIn(cache, blob.digest)).equals(bytes)).toBe(true);
    expect(server.requests.map(({ headers }) => headers.range?.split('-')[0])).toEqual([
      undefined,
      `bytes=${Math.floor(bytes.length / 2)}`,
      expect.stringMatching(/^bytes=\d+$/),
    ]);
  });

  it('that stays cut fails as a fault of the source, and the next attempt resumes it', async () => {
    let isDown = true;
    const cut = cutting(1);
    const server = await startServer((request, response) => {
      if (!isDown) return serving(request, response);
      if (request.headers.range) response.destroy();
      else cut(request, response);
    });
    const { pull } = await movedFrom(server);
    await expect(pull()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'REGISTRY_UNREACHABLE',
      side: 'source',
    });
    isDown = false;
    let reused = 0;
    await pull(blob, { onBytes: (count, how) => (reused += how === 'reused' ? count : 0) });
    expect(reused).toBe(Math.floor(bytes.length / 2));
  });

  it('with other bytes than its digest is refused, and nothing of it is kept', async () => {
    const server = await startServer((_, response) => response.end(randomBytes(bytes.length)));
    const { pull, dir } = await movedFrom(server);
    await expect(pull()).rejects.toMatchObject({ kind: 'invalid', code: 'DIGEST_MISMATCH' });
    expect(await readdir(join(dir, 'partial'))).toEqual([]);
    expect(await readdir(join(dir, 'sha256'))).toEqual([]);
  });

  it('of another size than its manifest says is refused before its bytes are read', async () => {
    const server = await startServer((_, response) => response.end(randomBytes(bytes.length + 1)));
    const { pull } = await movedFrom(server);
    await expect(pull()).rejects.toMatchObject({ code: 'SIZE_MISMATCH', side: 'source' });
  });

  it('that ends early without a stated size is reported as truncated', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(bytes.subarray(0, 2 * MIB));
    });
    const { pull } = await movedFrom(server);
    await expect(pull()).rejects.toMatchObject({ kind: 'unavailable', code: 'CONTENT_TRUNCATED' });
  });

  it('that the registry does not have is not found', async () => {
    const server = await startServer((_, response) =>
      json(response, 404, { errors: [{ code: 'BLOB_UNKNOWN' }] }),
    );
    const { pull } = await movedFrom(server);
    await expect(pull()).rejects.toMatchObject({ kind: 'not_found', side: 'source' });
  });

  it('of a silent server fails after the same time as on the main thread', async () => {
    const server = await startServer(stuck);
    const transport = { retries: 0, stall: { idleMs: 200 } };
    const { pull } = await movedFrom(server, { transport });
    await expect(pull()).rejects.toMatchObject({ code: 'REGISTRY_SILENT', side: 'source' });
  });

  it('that the disk does not take is a fault of the storage', async () => {
    const server = await startServer(serving);
    const { repository, file } = await movedFrom(server);
    await expect(repository.mover?.(blob)?.(join(file, 'x'), {})).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
    });
  });
});

it('small blobs and manifests are left to the main thread', async () => {
  const { repository } = await movedFrom({ host: '127.0.0.1:1' });
  const manifest = { ...blob, mediaType: 'application/vnd.oci.image.manifest.v1+json' };
  expect(repository.mover?.({ ...blob, size: MIB })).toBeUndefined();
  expect(repository.mover?.(manifest)).toBeUndefined();
  expect(repository.mover?.(blob)).toBeDefined();
});

describe('an abort', () => {
  it('ends the transfer with its own reason, and keeps the bytes for the next attempt', async () => {
    let isStuck = true;
    const server = await startServer((request, response) =>
      (isStuck ? stuck : serving)(request, response),
    );
    const { pull, dir } = await movedFrom(server);
    const controller = new AbortController();
    const reason = new Error('enough');
    const onBytes = () => controller.abort(reason);
    await expect(pull(blob, { signal: controller.signal, onBytes })).rejects.toBe(reason);
    expect(await readdir(join(dir, 'partial'))).toHaveLength(1);
    isStuck = false;
    await pull();
    expect(server.requests.at(-1)?.headers.range).toMatch(/^bytes=[1-9]/);
  });

  it('frees a blob that waits for its turn at the host, and the turn of one that runs', async () => {
    let isStuck = true;
    const server = await startServer((request, response) =>
      (isStuck ? stuck : serving)(request, response),
    );
    const { repository, file } = await movedFrom(server, { transport: { maxPerHost: 1 } });
    const controller = new AbortController();
    const { signal } = controller;
    const move = (name: string, options: MoveOptions) =>
      repository.mover?.(blob)?.(`${file}.${name}`, options);
    const ends = Promise.allSettled([move('a', { signal }), move('b', { signal })]);
    await expect.poll(() => server.requests).toHaveLength(1);
    controller.abort(new Error('enough'));
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isStuck = false;
    await move('c', {});
    expect((await readFile(`${file}.c`)).equals(bytes)).toBe(true);
  });
});

it('threads share the limit of transfers from one host', async () => {
  let running = 0;
  let most = 0;
  let asked = 0;
  const held: (() => void)[] = [];
  // Each request waits for another one, but the last.
  const server = await startServer((request, response) => {
    asked += 1;
    running += 1;
    most = Math.max(most, running);
    response.once('finish', () => (running -= 1));
    held.push(() => setTimeout(() => serving(request, response), 30));
    if (held.length === 2 || asked === 5) for (const answer of held.splice(0)) answer();
  });
  const { repository, file } = await movedFrom(server, { transport: { maxPerHost: 2 } });
  await Promise.all(
    [1, 2, 3, 4, 5].map((name) => repository.mover?.(blob)?.(`${file}.${name}`, {})),
  );
  expect(server.requests).toHaveLength(5);
  expect(most).toBe(2);
});

it('space is claimed while the file is written, and a refusal is passed on as it is', async () => {
  const large = randomBytes(40 * MIB);
  const server = await startServer((_, response) => response.end(large));
  const { repository, file } = await movedFrom(server);
  const refusal = new Error('the disk is too full');
  let wrote = 0;
  const move = repository.mover?.(blobDescriptor(large))?.(file, {
    async wrote(count) {
      wrote += count;
      if (wrote > 20 * MIB) throw refusal;
    },
  });
  await expect(move).rejects.toBe(refusal);
});

describe('the address guard', () => {
  const denying = createAddressGuard({});

  it('refuses the address that it refuses on the main thread, with the same error', async () => {
    const server = await startServer(serving);
    const { pull } = await movedFrom(server, { transport: { guard: denying } });
    await expect(pull()).rejects.toMatchObject({ kind: 'forbidden', code: 'EGRESS_PRIVATE' });
    expect(server.connections()).toBe(0);
  });

  it('refuses a redirect to an address that is not allowed', async () => {
    const inner = await startServer(serving);
    const outer = await startServer((_, response) =>
      response.writeHead(307, { location: `${inner.url}/blob` }).end(),
    );
    const guard = createAddressGuard({ allow: [outer.host] });
    const { pull } = await movedFrom(outer, { transport: { guard } });
    await expect(pull()).rejects.toMatchObject({ code: 'EGRESS_PRIVATE', side: 'source' });
    expect(outer.requests).toHaveLength(1);
    expect(inner.connections()).toBe(0);
  });

  it('decides about the address that the name has on the main thread', async () => {
    const server = await startServer(serving);
    const host = `registry.example:${server.port}`;
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const { pull } = await movedFrom({ host }, { transport: { lookup } });
    await pull();
    const { pull: guarded } = await movedFrom({ host }, { transport: { lookup, guard: denying } });
    await expect(guarded()).rejects.toMatchObject({ code: 'EGRESS_PRIVATE' });
    expect(server.requests).toHaveLength(1);
  });

  it('of one transport does not reuse the connections of another', async () => {
    const server = await startServer(serving);
    const movers = poolOf({ threads: 2 });
    const { pull } = await movedFrom(server, { transport: { movers } });
    await pull();
    const { pull: guarded } = await movedFrom(server, { transport: { movers, guard: denying } });
    await expect(guarded()).rejects.toMatchObject({ code: 'EGRESS_PRIVATE' });
  });
});

describe('a redirect', () => {
  it('to another host is followed without the credentials', async () => {
    const store = await startServer(serving);
    const registry = await startServer(basic(`http://localhost:${store.port}/blob`));
    const credentials = { username: 'me', password: 'hunter2' };
    const { pull } = await movedFrom(registry, { repository: { credentials } });
    await pull();
    expect(registry.requests.at(-1)?.headers.authorization).toMatch(/^Basic /);
    expect(store.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('to an origin that is not open is refused', async () => {
    const store = await startServer(serving);
    const registry = await startServer((_, response) =>
      response.writeHead(307, { location: `${store.url}/blob` }).end(),
    );
    const { pull } = await movedFrom(registry, { transport: { redirectOrigins: [] } });
    await expect(pull()).rejects.toMatchObject({ code: 'REDIRECT_REFUSED' });
    expect(store.connections()).toBe(0);
  });
});

function basic(location: string): Handler {
  return ({ headers }, response) => {
    if (headers.authorization) response.writeHead(307, { location }).end();
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  };
}

describe('a token', () => {
  it('is requested once by the main thread, and renewed when the registry refuses it', async () => {
    let issued = 0;
    const realm = await startServer((_, response) => {
      issued += 1;
      json(response, 200, { token: `token-${issued}`, expires_in: 300 });
    });
    const cut = cutting(1);
    let expired = false;
    const server = await startServer((request, response) => {
      const wanted = `Bearer token-${expired ? 2 : 1}`;
      if (request.headers.authorization !== wanted) return challenge(realm, response);
      if (expired) return serving(request, response);
      expired = true;
      return cut(request, response);
    });
    const { pull, cache } = await movedFrom(server);
    await pull();
    expect((await contentIn(cache, blob.digest)).equals(bytes)).toBe(true);
    expect(issued).toBe(2);
  });

  it('that is refused is the fault of the login, as on the main thread', async () => {
    const realm = await startServer((_, response) => json(response, 401, {}));
    const server = await startServer((_, response) => challenge(realm, response));
    const { pull } = await movedFrom(server);
    await expect(pull()).rejects.toMatchObject({
      kind: 'unauthenticated',
      code: 'REGISTRY_UNAUTHENTICATED',
      side: 'source',
    });
  });
});

function challenge({ url }: TestHttpServer, response: Parameters<Handler>[1]): void {
  const scope = 'repository:team/app:pull';
  const header = `Bearer realm="${url}/token",service="reg",scope="${scope}"`;
  json(response, 401, {}, { 'www-authenticate': header });
}

describe('TLS', () => {
  it('is verified with the CA of the registry', async () => {
    const certificate = makeCertificate();
    const server = await startServer(serving, certificate);
    const host = `localhost:${server.port}`;
    const trusting = { tls: 'required', ca: certificate.certificate } as const;
    const { pull } = await movedFrom({ host }, { repository: trusting });
    await pull();
    const { pull: strict } = await movedFrom({ host }, { repository: { tls: 'required' } });
    await expect(strict()).rejects.toMatchObject({ code: 'REGISTRY_TLS_FAILED', side: 'source' });
    const careless = { tls: 'required', tlsVerify: false } as const;
    const { pull: unverified } = await movedFrom({ host }, { repository: careless });
    await unverified();
    expect(server.requests).toHaveLength(2);
  });

  it('goes through the proxy that is set at the time of the request', async () => {
    const certificate = makeCertificate();
    const server = await startServer(serving, certificate);
    const proxy = await startProxy(() => server.host);
    const current: { url?: string } = {};
    const host = `localhost:${server.port}`;
    const { pull, dir } = await movedFrom(
      { host },
      {
        repository: { tls: 'required', ca: certificate.certificate },
        transport: { proxy: () => ({ HTTPS_PROXY: current.url }) },
      },
    );
    await pull();
    expect(proxy.targets).toEqual([]);
    await rm(join(dir, blob.digest.replace(':', '/')));
    current.url = proxy.url;
    await pull();
    expect(proxy.targets).toEqual([host]);
  });
});

describe('a thread that ends unexpectedly', () => {
  it('fails its blob as unavailable, frees its turn at the host, and is replaced by the main thread', async () => {
    let isStuck = true;
    const server = await startServer((request, response) =>
      (isStuck ? stuck : serving)(request, response),
    );
    const given = { pool: { entry: CRASHING }, transport: { maxPerHost: 1 } };
    const { pull, repository, cache } = await movedFrom(server, given);
    await expect(pull()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'MOVER_LOST',
      cause: expect.objectContaining({ message: 'out of luck' }),
    });
    isStuck = false;
    expect(repository.mover?.(blob)).toBeUndefined();
    await cache.store(blob, (options) => repository.fetch(blob, options));
    expect(server.requests.at(-1)?.headers.range).toMatch(/^bytes=[1-9]/);
    const content = await contentIn(cache, blob.digest);
    expect(createHash('sha256').update(content).digest('hex')).toBe(blob.digest.slice(7));
  });
});

describe('a pool', () => {
  it('that is closed ends its threads after their blobs, and takes no more', async () => {
    const slow = Promise.withResolvers<void>();
    const server = await startServer(async (request, response) => {
      await slow.promise;
      serving(request, response);
    });
    const { pull, movers, repository } = await movedFrom(server);
    const pulling = pull();
    await expect.poll(() => server.requests).toHaveLength(1);
    const closing = movers.close();
    expect(repository.mover?.(blob)).toBeUndefined();
    slow.resolve();
    await pulling;
    await closing;
  });

  it('whose threads are idle ends them, and starts others for the next blob', async () => {
    const server = await startServer(serving);
    const { pull, dir } = await movedFrom(server, { pool: { idleMs: 20 } });
    // More often than the four seconds after which an idle connection is closed.
    await expect
      .poll(
        async () => {
          await pull();
          await rm(join(dir, blob.digest.replace(':', '/')));
          return server.connections();
        },
        { interval: 300 },
      )
      .toBeGreaterThanOrEqual(2);
  });
});
