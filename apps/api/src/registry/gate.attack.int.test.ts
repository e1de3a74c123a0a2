/** Attacks on `/v2` that once succeeded or cost too much; each names the finding of the review. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  buildIndex,
  eventually,
  json,
  pushImage,
  randomImage,
  refusal,
  scratchImage,
  startRegistry,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { as, basic, codeOf, fakeRegistry, type StartedV2, serveV2, startV2 } from './v2.fixture.ts';

let v2: StartedV2;
let image: TestImage;

beforeAll(async () => {
  v2 = await startV2();
  image = await scratchImage();
  await pushImage(v2.registry.url, 'team/app', '1', image);
  await pushImage(v2.registry.url, 'secret/app', '1', image);
});

afterAll(() => v2?.stop());

beforeEach(() => v2.reset());

const MISSING = `sha256:${'ab'.repeat(32)}`;
const layer = () => image.blobs.at(-1)?.descriptor ?? image.descriptor;

function withLayer(descriptor: Record<string, unknown>, mediaType?: string): string {
  const manifest = JSON.parse(Buffer.from(image.bytes).toString());
  const layers = [{ size: 123, ...descriptor }];
  return JSON.stringify({ ...manifest, ...(mediaType && { mediaType }), layers });
}

const putManifest = (body: string, url = v2.url) =>
  fetch(`${url}/v2/team/app/manifests/put`, {
    ...as('writer', {
      method: 'PUT',
      body,
      headers: { 'content-type': JSON.parse(body).mediaType ?? image.descriptor.mediaType },
    }),
  });

async function saidBy(
  answer: Response,
): Promise<{ status: number; code?: string; message?: string; detail?: unknown }> {
  const { errors } = await refusal(answer);
  return { status: answer.status, ...errors[0] };
}

describe('G5: non-distributable layers were an endless 503', () => {
  const NON_DISTRIBUTABLE = 'application/vnd.oci.image.layer.nondistributable.v1.tar';
  const urls = ['https://store.example.com/layer'];

  const FOREIGN = 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip';
  const OCI = 'application/vnd.oci.image.manifest.v1+json';
  const DOCKER = 'application/vnd.docker.distribution.manifest.v2+json';

  it.each([
    [NON_DISTRIBUTABLE, OCI],
    [`${NON_DISTRIBUTABLE}+gzip`, OCI],
    // As base images of Windows are.
    [FOREIGN, DOCKER],
  ])(
    'a layer of the type %s that is elsewhere can be pushed in a manifest of %s and pulled, byte for byte',
    async (mediaType, manifestType) => {
      const body = withLayer({ mediaType, digest: MISSING, urls }, manifestType);
      const stored = await putManifest(body);
      expect(stored.status).toBe(201);
      const pulled = await v2.ask('GET', '/v2/team/app/manifests/put', {
        headers: { accept: '*/*' },
      });
      expect(await pulled.text()).toBe(body);
    },
  );

  it.each([
    [`${NON_DISTRIBUTABLE}+zstd`, OCI],
    [FOREIGN, OCI],
  ])('the embedded registry wants a layer of the type %s in a manifest of %s', async (...types) => {
    const [mediaType, manifestType] = types;
    const answer = await putManifest(withLayer({ mediaType, digest: MISSING, urls }, manifestType));
    expect(await saidBy(answer)).toMatchObject({ status: 400, code: 'MANIFEST_BLOB_UNKNOWN' });
  });

  it.each([
    ['an ordinary layer', 'application/vnd.oci.image.layer.v1.tar+gzip'],
    ['a layer of docker', 'application/vnd.docker.image.rootfs.diff.tar.gzip'],
    ['a layer of an unknown type', 'application/x-layer'],
  ])('%s that the repository lacks is not excused by its `urls`', async (_, mediaType) => {
    const answer = await putManifest(withLayer({ mediaType, digest: MISSING, urls }));
    expect(await saidBy(answer)).toMatchObject({
      status: 400,
      code: 'MANIFEST_BLOB_UNKNOWN',
      detail: { digest: MISSING },
    });
    const there = withLayer({ mediaType, digest: layer().digest, size: layer().size, urls });
    expect((await putManifest(there)).status).toBe(201);
  });

  it.each([
    'ftp://store.example.com/layer',
    '/layer',
    'https://store.example.com/layer#x',
    'javascript:alert(1)',
  ])('a layer at %s is refused, with the reason', async (url) => {
    const answer = await putManifest(
      withLayer({ mediaType: NON_DISTRIBUTABLE, digest: MISSING, urls: [url] }),
    );
    expect(await saidBy(answer)).toMatchObject({ status: 400, code: 'MANIFEST_INVALID' });
  });
});

describe('G5, F12: a fault of the registry is reported with its cause, not as a lost connection', () => {
  const oci = (...errors: object[]) => JSON.stringify({ errors });
  const unknown = { code: 'UNKNOWN', message: 'unknown error' };
  const driver = (Err: number) => ({
    DriverName: 'filesystem',
    Enclosed: { Op: 'write', Path: '/r/data', Err },
  });
  // The replies of distribution 2.8.2 without allowed URLs, and with a full file system.
  it.each([
    [
      'refuses a manifest with 500',
      500,
      oci(unknown, { code: 'MANIFEST_BLOB_UNKNOWN', message: 'blob unknown' }),
      400,
      'MANIFEST_INVALID',
      undefined,
    ],
    [
      'has a full disk',
      500,
      oci({ ...unknown, detail: driver(28) }),
      503,
      'UNAVAILABLE',
      'STORAGE_FULL',
    ],
    [
      'has used up its quota',
      500,
      oci({ ...unknown, detail: driver(122) }),
      503,
      'UNAVAILABLE',
      'STORAGE_FULL',
    ],
    [
      'has a full disk in the middle of a blob',
      500,
      oci({ ...unknown, detail: 'write /r/data: no space left on device' }),
      503,
      'UNAVAILABLE',
      'STORAGE_FULL',
    ],
    [
      'may not write',
      500,
      oci({ ...unknown, detail: driver(13) }),
      503,
      'UNAVAILABLE',
      'REGISTRY_FAILED',
    ],
    [
      'refuses our credential',
      401,
      oci({ code: 'UNAUTHORIZED', message: 'authentication required' }),
      503,
      'UNAVAILABLE',
      'REGISTRY_CREDENTIAL_REFUSED',
    ],
    [
      'is not the one that answers',
      502,
      '<html>bad gateway</html>',
      503,
      'UNAVAILABLE',
      'REGISTRY_UNAVAILABLE',
    ],
  ])('a registry that %s (%i)', async (_, status, body, shown, code, detail) => {
    await using faulty = await fakeRegistry((request, response) => {
      request
        .resume()
        .once('end', () =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(body),
        );
    });
    await using gate = await serveV2(faulty.url);
    const answer = await putManifest(Buffer.from(image.bytes).toString(), gate.url);
    const said = await saidBy(answer);
    expect([said.status, said.code]).toEqual([shown, code]);
    if (detail !== undefined) expect(said.detail).toMatchObject({ code: detail });
    expect(said.message).not.toContain('/r/data');
  });
});

it.each([
  ['GET', 200, 4],
  ['HEAD', 200, 4],
  ['DELETE', 503, 3],
])('a %s on a connection that the registry just closed gets %i', async (method, status, asked) => {
  let requests = 0;
  const used = new Map<Socket, number>();
  await using closing = await fakeRegistry((request, response) => {
    requests += 1;
    const { socket } = request;
    used.set(socket, (used.get(socket) ?? 0) + 1);
    if (used.get(socket) === 3) return void socket.resetAndDestroy();
    request.resume().once('end', () => response.writeHead(200).end());
  });
  await using gate = await serveV2(closing.url);
  const ask = (by: string) =>
    fetch(`${gate.url}/v2/team/app/blobs/sha256:${'a'.repeat(64)}`, as('writer', { method: by }));
  for (const _ of [1, 2]) await (await ask('GET')).arrayBuffer();
  expect((await ask(method)).status).toBe(status);
  expect(requests).toBe(asked);
});

describe('F7: a frozen registry held clients for up to 15 minutes', () => {
  const IMPATIENT = {
    connectMs: 1_000,
    answerMs: 1_000,
    changeMs: 1_000,
    hashMs: 600_000,
    stallMs: 1_000,
  };

  it('each request with a short timeout gets 503, and everything continues after the freeze', async () => {
    await using frozen = await startRegistry();
    await using gate = await serveV2(frozen.url, { timeouts: IMPATIENT });
    await pushImage(frozen.url, 'team/app', '1', image);
    const manifest = {
      body: Buffer.from(image.bytes),
      headers: { 'content-type': image.descriptor.mediaType },
    };
    const send = (method: string, path: string, init: RequestInit = {}) =>
      fetch(gate.url + path, as('writer', { method, ...init }));
    // A busy machine may take longer than a second for the first request.
    const begin = () => send('POST', '/v2/team/app/blobs/uploads/');
    const { headers } = await eventually(begin, ({ ok }) => ok);
    const upload = headers.get('location') ?? '';
    process.kill(frozen.pid, 'SIGSTOP');
    try {
      const answers = await Promise.all([
        send('GET', '/v2/team/app/manifests/1'),
        send('HEAD', '/v2/team/app/manifests/1'),
        send('PUT', '/v2/team/app/manifests/2', manifest),
        send('DELETE', `/v2/team/app/manifests/${MISSING}`),
        send('GET', `/v2/team/app/blobs/${layer().digest}`),
        send('HEAD', `/v2/team/app/blobs/${layer().digest}`),
        send('POST', '/v2/team/app/blobs/uploads/'),
        send('PATCH', upload, { body: 'abc' }),
        send('GET', upload),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
      expect(answers.every((answer) => answer.headers.has('retry-after'))).toBe(true);
      await Promise.all(answers.map((answer) => answer.body?.cancel()));
    } finally {
      process.kill(frozen.pid, 'SIGCONT');
    }
    // It first processes the requests from the freeze.
    await expect.poll(async () => (await send('GET', '/v2/team/app/manifests/1')).status).toBe(200);
  });

  it('a stalled upload is ended', async () => {
    const location = '/v2/team/app/blobs/uploads/u-1?_state=x';
    await using deaf = await fakeRegistry((request, response) => {
      if (request.method === 'POST') response.writeHead(202, { location }).end();
      else request.pause();
    });
    await using gate = await serveV2(deaf.url, { timeouts: IMPATIENT });
    const endless = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65_536)) });
    const started = await fetch(
      `${gate.url}/v2/team/app/blobs/uploads/`,
      as('writer', { method: 'POST' }),
    );
    const sealed = gate.url + (started.headers.get('location') ?? '');
    const sent = { method: 'PATCH', body: endless, duplex: 'half' } as RequestInit;
    const answer = await fetch(sealed, as('writer', sent)).catch((error: Error) => error);
    // undici reports the closed connection, or reads the reply first.
    expect(answer instanceof Error ? answer.message : answer.status).toSatisfy(
      (seen) => seen === 503 || seen === 'fetch failed',
    );
  });

  it('a download that the registry stalls is ended, and one by a slow client is not', async () => {
    await using halting = await fakeRegistry((_, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 });
      response.write(Buffer.alloc(1_000));
    });
    await using gate = await serveV2(halting.url, { timeouts: IMPATIENT });
    const halt = async () => {
      const halted = await fetch(`${gate.url}/v2/team/app/blobs/${layer().digest}`, as('reader'));
      await expect(halted.arrayBuffer()).rejects.toThrow();
    };
    await halt();

    const big = await randomImage({ layers: 1, bytes: 40_000_000, compression: 'none' });
    await using real = await startRegistry();
    await pushImage(real.url, 'team/big', '1', big);
    await using patient = await serveV2(real.url, { timeouts: IMPATIENT });
    const { digest, size } = big.blobs.at(-1)?.descriptor ?? big.descriptor;
    const socket = connect(Number(new URL(patient.url).port), '127.0.0.1');
    const head = [
      `GET /v2/team/big/blobs/${digest} HTTP/1.1`,
      `Host: ${patient.host}`,
      'Connection: close',
    ];
    socket.write(
      `${[...head, `Authorization: ${basic('reader').authorization}`].join('\r\n')}\r\n\r\n`,
    );
    await once(socket, 'readable');
    // Stalled downloads are ended one after the other, while this client reads nothing.
    for (let n = 0; n < 4; n += 1) await halt();
    let received = 0;
    for await (const chunk of socket) received += chunk.length;
    expect(received).toBeGreaterThan(size);
  });
});

describe('C3: `Accept: */*` got 404 for a manifest that is there', () => {
  it.each([
    ['*/*', '*/*'],
    ['application/*', 'application/*'],
    ['a type and anything', 'text/html, */*;q=0.1'],
    ['nothing', ''],
  ])('%s', async (_, accept) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await v2.ask(method, '/v2/team/app/manifests/1', { headers: { accept } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        image.descriptor.mediaType,
      ]);
      expect(answer.headers.get('docker-content-digest')).toBe(image.digest);
    }
  });
});

describe('G11: a suffix range of zero bytes was a 206 without a body', () => {
  it.each(['bytes=-0', 'bytes=-000', ' Bytes = -0 '])(
    '%j gets 416 with the size',
    async (range) => {
      const { digest, size } = layer();
      const answer = await v2.ask('GET', `/v2/team/app/blobs/${digest}`, { headers: { range } });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([
        416,
        `bytes */${size}`,
      ]);
      expect(await codeOf(answer)).toBe('SIZE_INVALID');
    },
  );
});

describe('G3: a token allowed everything its account may do, whatever its scope', () => {
  async function tokenFor(name: string, scope: string, more = ''): Promise<Response> {
    return fetch(`${v2.url}/v2/token?scope=${encodeURIComponent(scope)}${more}`, as(name));
  }
  async function bearer(name: string, scope: string): Promise<Record<string, string>> {
    const { token } = (await json(tokenFor(name, scope))) as { token: string };
    return { authorization: `Bearer ${token}` };
  }

  it.each([
    [
      'to pull one repository',
      'repository:team/app:pull',
      'POST',
      '/v2/team/app/blobs/uploads/',
      'repository:team/app:pull,push',
    ],
    [
      'to pull one repository',
      'repository:team/app:pull',
      'GET',
      '/v2/team/other/tags/list',
      'repository:team/other:pull',
    ],
    [
      'to pull one repository',
      'repository:team/app:pull',
      'GET',
      '/v2/_catalog',
      'registry:catalog:*',
    ],
    [
      'to push to one repository',
      'repository:team/app:pull,push',
      'DELETE',
      '/v2/team/app/manifests/none',
      'repository:team/app:delete',
    ],
    [
      'to list the catalog',
      'registry:catalog:*',
      'GET',
      '/v2/team/app/manifests/1',
      'repository:team/app:pull',
    ],
    [
      'of a login, without a scope',
      '',
      'GET',
      '/v2/team/app/manifests/1',
      'repository:team/app:pull',
    ],
  ])(
    'a token %s (%s) does not do %s %s, and the answer names the scope that does',
    async (_, scope, method, path, needed) => {
      const headers = await bearer('writer', scope);
      const refused = await fetch(v2.url + path, { method, headers });
      expect(refused.status).toBe(401);
      const challenge = refused.headers.get('www-authenticate') ?? '';
      expect(challenge).toContain('error="insufficient_scope"');
      expect(challenge).toContain(`scope="${needed}"`);
      expect(await saidBy(refused)).toMatchObject({
        code: 'UNAUTHORIZED',
        detail: { code: 'SCOPE_INSUFFICIENT' },
      });
      const renewed = await bearer('writer', needed);
      expect((await fetch(v2.url + path, { method, headers: renewed })).status).not.toBe(401);
    },
  );

  it('the denial is in the audit log', async () => {
    await fetch(`${v2.url}/v2/team/app/blobs/uploads/`, {
      method: 'POST',
      headers: await bearer('writer', 'repository:team/app:pull'),
    });
    expect(v2.audit.at(-1)).toMatchObject({
      event: 'image.push',
      outcome: 'denied',
      status: 401,
      detail: { code: 'SCOPE_INSUFFICIENT' },
    });
  });

  it('a missing right is 403 even if the token lacks the scope, because no other token helps', async () => {
    const headers = await bearer('reader', 'repository:team/app:pull,push');
    expect(
      (await fetch(`${v2.url}/v2/team/app/blobs/uploads/`, { method: 'POST', headers })).status,
    ).toBe(403);
  });

  it('a token without a scope is enough for `docker login`', async () => {
    expect((await fetch(`${v2.url}/v2/`, { headers: await bearer('nobody', '') })).status).toBe(
      200,
    );
  });

  it('a mount needs both scopes; with one it is a plain upload, as it is without the right to pull', async () => {
    await pushImage(v2.registry.url, 'team/from', '1', image);
    const mount = `${v2.url}/v2/team/into/blobs/uploads/?mount=${layer().digest}&from=team/from`;
    const into = 'repository:team/into:pull,push';
    const one = await fetch(mount, { method: 'POST', headers: await bearer('writer', into) });
    expect(one.status).toBe(202);
    const both = await fetch(mount, {
      method: 'POST',
      headers: await bearer('writer', `${into} repository:team/from:pull`),
    });
    expect(both.status).toBe(201);
  });

  it('is issued for our own service only', async () => {
    const refused = await tokenFor('reader', 'repository:team/app:pull', '&service=other.example');
    expect(await saidBy(refused)).toMatchObject({
      status: 400,
      detail: { code: 'SERVICE_UNKNOWN' },
    });
    expect((await tokenFor('reader', '', `&service=${v2.host}`)).status).toBe(200);
  });

  it('a password still allows everything its account may do', async () => {
    expect((await v2.ask('POST', '/v2/team/app/blobs/uploads/')).status).toBe(202);
    expect((await v2.ask('GET', '/v2/_catalog')).status).toBe(200);
  });
});

describe('G10: every denial had the message of a denied push', () => {
  it.each([
    ['GET', '/v2/secret/app/manifests/1', 'You may not pull under the folder secret.'],
    ['PUT', '/v2/secret/app/manifests/1', 'You may not push under the folder secret.'],
    [
      'DELETE',
      '/v2/secret/app/manifests/1',
      'You may not delete under the folder secret: that needs the right to push there.',
    ],
    [
      'DELETE',
      `/v2/secret/app/blobs/${MISSING}`,
      'You may not delete under the folder secret: that needs the right to push there.',
    ],
    [
      'POST',
      `/v2/secret/app/blobs/uploads/?mount=${MISSING}&from=team/app`,
      'You may not mount blobs under the folder secret: that needs the right to push there.',
    ],
  ])('%s %s: %s', async (method, path, message) => {
    expect(await saidBy(await v2.ask(method, path))).toMatchObject({
      status: 403,
      code: 'DENIED',
      message,
    });
  });

  it('HEAD, whose reply has no body, has the message in a header that clients show', async () => {
    const answer = await v2.ask('HEAD', '/v2/secret/app/manifests/1');
    expect([answer.status, answer.headers.get('warning')]).toEqual([
      403,
      '299 - "You may not pull under the folder secret."',
    ]);
  });
});

describe('G15: a tag could not be deleted over /v2', () => {
  it('only the tag is deleted, its manifest and other tags remain, and it is in the audit log', async () => {
    for (const tag of ['goes', 'stays'])
      await pushImage(v2.registry.url, 'team/tagged', tag, image);
    const deleted = await v2.ask('DELETE', '/v2/team/tagged/manifests/goes');
    expect(deleted.status).toBe(202);
    expect(v2.audit.at(-1)).toMatchObject({
      event: 'image.delete',
      outcome: 'success',
      resource: { name: 'team/tagged' },
      detail: { reference: 'goes' },
    });
    expect(v2.removed).toEqual([{ repository: 'team/tagged', reference: 'goes' }]);
    const statusOf = async (reference: string) =>
      (await v2.ask('HEAD', `/v2/team/tagged/manifests/${reference}`)).status;
    expect(await Promise.all(['goes', 'stays', image.digest].map(statusOf))).toEqual([
      404, 200, 200,
    ]);
    const { tags } = (await json(v2.ask('GET', '/v2/team/tagged/tags/list'))) as {
      tags: string[];
    };
    expect(tags).toEqual(['stays']);
    const again = await v2.ask('DELETE', '/v2/team/tagged/manifests/goes');
    expect([again.status, await codeOf(again)]).toEqual([404, 'MANIFEST_UNKNOWN']);
  });

  it('needs the right to push, and a token for deleting', async () => {
    await pushImage(v2.registry.url, 'team/tagged', 'kept', image);
    const refused = await fetch(
      `${v2.url}/v2/team/tagged/manifests/kept`,
      as('reader', { method: 'DELETE' }),
    );
    expect(refused.status).toBe(403);
    expect((await v2.ask('HEAD', '/v2/team/tagged/manifests/kept')).status).toBe(200);
  });

  it('a registry without deletion is reported as such', async () => {
    await using fixed = await startRegistry({ delete: false });
    await using gate = await serveV2(fixed.url);
    await pushImage(fixed.url, 'team/app', '1', image);
    const answer = await fetch(
      `${gate.url}/v2/team/app/manifests/1`,
      as('writer', { method: 'DELETE' }),
    );
    expect(await saidBy(answer)).toMatchObject({ status: 405, code: 'UNSUPPORTED' });
  });
});

describe('reads of an image that left no audit event', () => {
  const read = async (path: string, more: RequestInit = {}) => {
    const answer = await v2.ask('GET', path, more);
    expect(answer.status).toBeLessThan(300);
    await answer.arrayBuffer();
  };
  const pulls = () => v2.audit.map(({ event, resource, detail }) => [event, resource?.id, detail]);

  it('a platform behind an index that was read before, and that is deleted afterwards', async () => {
    const child = await scratchImage({ platform: 'linux/arm64' });
    const index = buildIndex([child]);
    await pushImage(v2.registry.url, 'team/hidden', '1', index);
    const accept = `${index.descriptor.mediaType}, ${child.descriptor.mediaType}`;
    await read('/v2/team/hidden/manifests/1', { headers: { accept } });
    await read(`/v2/team/hidden/manifests/${child.digest}`, { headers: { accept } });
    await read(`/v2/team/hidden/manifests/${child.digest}`, { headers: { accept } });
    for (const { descriptor } of child.blobs)
      await read(`/v2/team/hidden/blobs/${descriptor.digest}`);
    expect(pulls()).toEqual([
      ['image.pull', index.digest, { reference: '1' }],
      ['image.pull', child.digest, { reference: child.digest }],
    ]);
  });

  it('blobs by their digests without a manifest: each is recorded once', async () => {
    const alone = await randomImage();
    await pushImage(v2.registry.url, 'team/blobs', '1', alone);
    const [first, second] = alone.blobs.map(({ descriptor }) => descriptor.digest);
    for (const digest of [first, first, second]) await read(`/v2/team/blobs/blobs/${digest}`);
    expect(pulls()).toEqual([
      ['image.pull', null, { blob: first }],
      ['image.pull', null, { blob: second }],
    ]);
    const missing = await v2.ask('GET', `/v2/team/blobs/blobs/${MISSING}`);
    expect(missing.status).toBe(404);
    await v2.ask('HEAD', `/v2/team/blobs/blobs/${first}`);
    expect(v2.audit).toHaveLength(2);
  });
});
