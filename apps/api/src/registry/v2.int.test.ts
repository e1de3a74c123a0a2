import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import {
  buildIndex,
  fetchManifest,
  json,
  pushImage,
  randomImage,
  scratchImage,
  skopeo,
  type TemporaryDir,
  type TestImage,
  temporaryDir,
  writeLayout,
} from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  account,
  as,
  basic,
  codeOf,
  credentials,
  fakeRegistry,
  raw,
  type StartedV2,
  serveV2,
  startV2,
} from './v2.fixture.ts';

let v2: StartedV2;
let dir: TemporaryDir;
let image: TestImage;
let url: string;

beforeAll(async () => {
  v2 = await startV2();
  url = v2.url;
  dir = await temporaryDir();
  // Compressed, because skopeo would compress it and change the digest.
  image = await randomImage({ layers: 2, bytes: 300_000, compression: 'gzip' });
  await writeLayout(dir.path, image);
});

afterAll(async () => {
  await v2?.stop();
  await dir?.remove();
});

beforeEach(() => v2.reset());

const at = (path: string) => `docker://${new URL(url).host}/${path}`;
const layer = () => image.blobs.at(-1)?.descriptor.digest ?? '';

function push(name: string, password: string | undefined, target: string): Promise<string> {
  return skopeo(
    'copy',
    '--dest-tls-verify=false',
    '--dest-creds',
    credentials(name, password),
    `oci:${dir.path}:latest`,
    at(target),
  );
}

describe('skopeo', () => {
  it('pushes and pulls, the digest stays, and there is one event for each', async () => {
    await push('admin', undefined, 'team/app:1');
    await using out = await temporaryDir();
    await skopeo(
      'copy',
      '--src-tls-verify=false',
      '--src-creds',
      credentials('admin'),
      at('team/app:1'),
      `oci:${out.path}:x`,
    );
    const kept = await fetchManifest(v2.registry.url, 'team/app', '1');
    expect(kept.headers['docker-content-digest']).toBe(image.digest);
    expect(v2.audit.map(({ event, outcome }) => [event, outcome])).toEqual([
      ['image.push', 'success'],
      ['image.pull', 'success'],
    ]);
    expect(v2.audit[0]).toMatchObject({
      actor: { name: 'admin' },
      resource: { kind: 'image', id: image.digest, name: 'team/app', folder: 'team' },
      detail: { reference: '1' },
    });
  });

  it('is refused with a wrong password', async () => {
    await expect(push('admin', 'wrong', 'team/app:2')).rejects.toThrow(
      /authentication|unauthorized|401/i,
    );
  });

  it('pulls with can_pull, and is denied a push without can_push', async () => {
    await pushImage(v2.registry.url, 'team/read', '1', image);
    const inspected = await skopeo(
      'inspect',
      '--tls-verify=false',
      '--creds',
      credentials('reader'),
      '--raw',
      at('team/read:1'),
    );
    expect(inspected).toContain(layer());
    await expect(push('reader', undefined, 'team/app:3')).rejects.toThrow(/denied|403/i);
    expect(v2.audit.at(-1)).toMatchObject({
      event: 'image.push',
      outcome: 'denied',
      actor: { name: 'reader' },
    });
  });

  it('copies inside the registry with mounts', async () => {
    await pushImage(v2.registry.url, 'team/from', '1', image);
    const both = [
      '--src-tls-verify=false',
      '--dest-tls-verify=false',
      '--src-creds',
      credentials('writer'),
      '--dest-creds',
      credentials('writer'),
    ];
    await skopeo('copy', ...both, at('team/from:1'), at('team/to:1'));
    const kept = await fetchManifest(v2.registry.url, 'team/to', '1');
    expect(kept.headers['docker-content-digest']).toBe(image.digest);
  });
});

describe('a client', () => {
  it('gets the address of the token endpoint', async () => {
    const answer = await fetch(`${url}/v2/team/app/manifests/1`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('docker-distribution-api-version')).toBe('registry/2.0');
    const host = new URL(url).host;
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="${url}/v2/token",service="${host}",scope="repository:team/app:pull"`,
    );
    expect(await codeOf(answer)).toBe('UNAUTHORIZED');
  });

  it('gets a token for what is requested and allowed; it ends with the account and its grants', async () => {
    const token = await tokenOf('reader', 'repository:team/app:pull,push');
    const accept = image.descriptor.mediaType;
    const bearer = { headers: { accept, authorization: `Bearer ${token}` } };
    const manifest = `${url}/v2/team/app/manifests/1`;
    await pushImage(v2.registry.url, 'team/app', '1', image);
    expect((await fetch(manifest, bearer)).status).toBe(200);
    v2.accounts.set('reader', account('reader', false, []));
    expect((await fetch(manifest, bearer)).status).toBe(403);
    v2.accounts.delete('reader');
    const gone = await fetch(manifest, bearer);
    expect(gone.status).toBe(401);
    expect(gone.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('gets no token for a token, for nothing, or for a wrong password', async () => {
    const bearer = { authorization: `Bearer ${await tokenOf('reader', '')}` };
    for (const headers of [bearer, {}, basic('reader', 'wrong')]) {
      const answer = await fetch(`${url}/v2/token`, { headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
    }
  });

  it('writes the name of its scheme in capitals or small letters (RFC 9110 § 11.1)', async () => {
    const [, pair] = basic('reader').authorization.split(' ');
    const token = await tokenOf('reader', '');
    const headers = [`basic ${pair}`, `BASIC ${pair}`, `bearer ${token}`, `BEARER ${token}`];
    for (const authorization of headers)
      expect((await fetch(`${url}/v2/`, { headers: { authorization } })).status).toBe(200);
  });

  it('is not authenticated by a cookie', async () => {
    expect((await fetch(`${url}/v2/`, { headers: { cookie: 'pc_token=x' } })).status).toBe(401);
  });
});

async function tokenOf(name: string, scope: string): Promise<string> {
  const answer = await fetch(`${url}/v2/token?scope=${encodeURIComponent(scope)}`, as(name));
  const { token } = (await json(answer)) as { token: string };
  return token;
}

describe('blobs and uploads', () => {
  it('a blob is served only through a repository that has it', async () => {
    await pushImage(v2.registry.url, 'secret/app', '1', image);
    await pushImage(v2.registry.url, 'team/has', '1', image);
    await pushImage(v2.registry.url, 'team/hasnot', '1', await scratchImage());
    const blob = (repository: string) =>
      fetch(`${url}/v2/${repository}/blobs/${layer()}`, as('reader'));
    const served = await blob('team/has');
    expect(served.status).toBe(200);
    expect((await served.arrayBuffer()).byteLength).toBe(image.blobs.at(-1)?.bytes.length);
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await codeOf(await blob('team/hasnot'))).toBe('BLOB_UNKNOWN');
    expect((await blob('secret/app')).status).toBe(403);
  });

  it('serves a range', async () => {
    await pushImage(v2.registry.url, 'team/has', '1', image);
    const answer = await fetch(
      `${url}/v2/team/has/blobs/${layer()}`,
      as('reader', { headers: { range: 'bytes=5-9' } }),
    );
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([206, 5]);
  });

  it.each([
    ['with the right to read it is mounted', 'team/has', 201],
    ['without the right to read it is an upload', 'secret/app', 202],
  ])('a blob to mount: %s', async (_, from, status) => {
    await pushImage(v2.registry.url, 'secret/app', '1', image);
    await pushImage(v2.registry.url, 'team/has', '1', image);
    const into = `${url}/v2/team/mount-${status}/blobs/uploads/?mount=${layer()}&from=${from}`;
    expect((await fetch(into, as('other', { method: 'POST' }))).status).toBe(status);
  });

  it('a form in the body can not name a repository to mount from', async () => {
    await pushImage(v2.registry.url, 'secret/app', '1', image);
    const body = new URLSearchParams({ mount: layer(), from: 'secret/app' });
    const answer = await fetch(
      `${url}/v2/team/form/blobs/uploads/`,
      as('other', { method: 'POST', body }),
    );
    expect(answer.status).toBe(202);
  });

  it('an upload continues only in its repository and by its account', async () => {
    const start = await fetch(`${url}/v2/team/up/blobs/uploads/`, as('writer', { method: 'POST' }));
    const location = start.headers.get('location') ?? '';
    expect(location).toMatch(/^\/v2\/team\/up\/blobs\/uploads\//);
    const status = async (name: string, path: string) => (await fetch(url + path, as(name))).status;
    expect(await status('writer', location)).toBe(204);
    expect(await status('other', location)).toBe(404);
    expect(await status('writer', location.split('?')[0] ?? '')).toBe(404);
    expect(await status('writer', location.replace('team/up', 'team/elsewhere'))).toBe(404);
  });
});

describe('requests that are forwarded', () => {
  it('a body with GET is refused, so that no request is smuggled in it', async () => {
    await pushImage(v2.registry.url, 'secret/app', 'ride', image);
    const ride = `DELETE /v2/secret/app/manifests/${image.digest} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const { host } = new URL(url);
    const head = `GET /v2/ HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${basic('reader').authorization}\r\n`;
    const sent = head.replace('/v2/ ', '/v2/team/has/tags/list ');
    expect(
      await raw(url, `${sent}Connection: close\r\nContent-Length: ${ride.length}\r\n\r\n${ride}`),
    ).toMatch(/^HTTP\/1.1 400/);
    expect((await fetchManifest(v2.registry.url, 'secret/app', 'ride')).status).toBe(200);
  });

  it.each([
    '/v2/team/../secret/app/manifests/1',
    '/v2/team%2f..%2fsecret/app/manifests/1',
    '/v2/team//app/tags/list',
  ])('%s is no path', async (path) => {
    const { host } = new URL(url);
    const answer = await raw(
      url,
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 40[04][\s\S]*NAME_INVALID/);
  });

  const ADMIN = { username: 'admin', password: 'adminadmin' };

  it('the catalogue and its pages show what the caller may pull', async () => {
    for (const name of ['alone', 'secret/app', 'team/one', 'team/two'])
      await pushImage(url, name, '1', await scratchImage(), { credentials: ADMIN });
    const seen: string[] = [];
    for (let next: string | undefined = '/v2/_catalog?n=1'; next; ) {
      const page: Response = await fetch(url + next, as('reader'));
      const { repositories } = (await json(page)) as { repositories: string[] };
      expect(repositories.length).toBeLessThanOrEqual(1);
      seen.push(...repositories);
      next = /^<(.*)>/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(expect.arrayContaining(['team/one', 'team/two']));
    expect(seen.every((name) => name.startsWith('team/'))).toBe(true);
  });

  it('tags are listed', async () => {
    for (const tag of ['1', '2']) await pushImage(v2.registry.url, 'team/tags', tag, image);
    const page = await fetch(`${url}/v2/team/tags/tags/list`, as('reader'));
    const { tags } = (await json(page)) as { tags: string[] };
    expect(tags.sort()).toEqual(['1', '2']);
  });

  it('the pull of an index is an event, and of each manifest read, but not of blobs', async () => {
    const images = [await scratchImage(), await scratchImage({ platform: 'linux/arm64' })];
    const index = buildIndex(images);
    await pushImage(v2.registry.url, 'team/multi', '1', index);
    await using out = await temporaryDir();
    await skopeo(
      'copy',
      '--all',
      '--src-tls-verify=false',
      '--src-creds',
      credentials('reader'),
      at('team/multi:1'),
      `oci:${out.path}:x`,
    );
    const pulls = v2.audit.map(({ event, resource }) => [event, resource?.id]);
    expect(pulls[0]).toEqual(['image.pull', index.digest]);
    expect(new Set(pulls.map(String))).toEqual(
      new Set([index, ...images].map(({ digest }) => `image.pull,${digest}`)),
    );
    expect(pulls).toHaveLength(3);
  });
});

describe('a registry in trouble', () => {
  it('that is down gives 503 with Retry-After', async () => {
    await using away = await serveV2('http://127.0.0.1:9');
    const answer = await fetch(`${away.url}/v2/team/app/tags/list`, as('reader'));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await codeOf(answer)).toBe('UNAVAILABLE');
  });

  it('that aborts a body aborts the reply', async () => {
    await using broken = await fakeRegistry((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    await using away = await serveV2(broken.url);
    const answer = await fetch(`${away.url}/v2/team/app/blobs/${layer()}`, as('reader'));
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  it('gets no credentials of the client, and the cancellation when the client disconnects', async () => {
    const heard = Promise.withResolvers<void>();
    const heads: NodeJS.Dict<string | string[]>[] = [];
    await using slow = await fakeRegistry((request, response) => {
      heads.push(request.headers);
      request.once('close', () => heard.resolve());
      response.writeHead(200, { 'set-cookie': 'inner=1' });
      response.write('endless');
    });
    await using away = await serveV2(slow.url);
    const headers = { ...basic('reader'), cookie: 'pc_token=x', 'x-forwarded-host': 'evil' };
    const outgoing = httpRequest(`${away.url}/v2/team/app/blobs/${layer()}`, {
      headers,
      agent: false,
    }).end();
    const [answer] = await once(outgoing, 'response');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
    outgoing.on('error', () => {}).destroy();
    answer.on('error', () => {});
    await heard.promise;
    expect(Object.keys(heads[0] ?? {})).toEqual(['host', 'connection']);
  });
});
