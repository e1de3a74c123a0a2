/** Other projects' clients, through the gate. */
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ContainerTools,
  conformanceBinary,
  containerTools,
  fetchManifest,
  pushImage,
  randomImage,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, basic, codeOf, credentials, type StartedV2, startV2 } from './v2.fixture.ts';

let v2: StartedV2;
let tools: ContainerTools;
let image: TestImage;

beforeAll(async () => {
  v2 = await startV2();
  tools = await containerTools();
  image = await randomImage({ layers: 2, bytes: 200_000, compression: 'gzip' });
  await pushImage(v2.registry.url, 'team/there', '1', image);
});

afterAll(async () => {
  await tools?.[Symbol.asyncDispose]();
  await v2?.stop();
});

const plain = '--tls-verify=false';
const by = (name: string) => [plain, '--creds', credentials(name)];
const at = (path: string) => `${v2.host}/${path}`;
const digestOf = async (repository: string, tag: string) =>
  (await fetchManifest(v2.registry.url, repository, tag)).headers['docker-content-digest'];

describe('podman', () => {
  it('logs in, pulls with can_pull, pushes with can_push, and what comes out is what went in', async () => {
    await tools.podman('login', plain, '-u', 'writer', '-p', 'writerwriter', v2.host);
    await tools.podman('pull', plain, at('team/there:1'));
    await tools.podman('push', plain, at('team/there:1'), at('team/podman:1'));
    expect(await digestOf('team/podman', '1')).toMatch(/^sha256:/);
    await tools.podman('logout', v2.host);
    await tools.podman('rmi', '--all', '--force');
    const pulled = await tools.podman('pull', ...by('reader'), at('team/podman:1'));
    expect(pulled.trim()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is refused a login with a wrong password, and a push with can_pull only', async () => {
    const login = tools.podman('login', plain, '-u', 'writer', '-p', 'wrong', v2.host);
    await expect(login).rejects.toThrow(/invalid username\/password|unauthorized/i);
    await tools.podman('pull', ...by('reader'), at('team/there:1'));
    const push = tools.podman('push', ...by('reader'), at('team/there:1'), at('team/refused:1'));
    await expect(push).rejects.toThrow(/denied|403|forbidden/i);
    expect((await fetchManifest(v2.registry.url, 'team/refused', '1')).status).toBe(404);
  });
});

describe('buildah', () => {
  it('builds from scratch, pushes, and podman runs what it pulls back', async () => {
    await copyFile(await conformanceBinary(), join(tools.dir, 'program'));
    await writeFile(join(tools.dir, 'note'), 'hello');
    const built = (await tools.buildah('from', 'scratch')).trim();
    await tools.buildah('copy', built, join(tools.dir, 'program'), '/program');
    await tools.buildah('copy', built, join(tools.dir, 'note'), '/note');
    await tools.buildah(
      'config',
      '--env',
      'OCI_ROOT_URL=http://none.invalid',
      '--cmd',
      '["/program", "-test.list", "."]',
      built,
    );
    await tools.buildah('commit', built, 'localhost/built:1');
    await tools.buildah(
      'push',
      ...by('writer'),
      'localhost/built:1',
      `docker://${at('team/built:1')}`,
    );
    await tools.podman('pull', ...by('reader'), at('team/built:1'));
    const limits = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=1000:1000'];
    const said = await tools.podman('run', '--rm', '--network=host', ...limits, at('team/built:1'));
    expect(said).toContain('TestConformance');
  });
});

describe('the token flow of docker', () => {
  interface Challenge {
    realm: string;
    service: string;
    scope?: string;
  }
  const challengeOf = (answer: Response): Challenge => {
    const header = answer.headers.get('www-authenticate') ?? '';
    expect(header).toMatch(/^Bearer /);
    const pairs = [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]);
    return Object.fromEntries(pairs);
  };
  const tokenFor = async (
    name: string,
    { realm, service }: Challenge,
    scope: string,
  ): Promise<string> => {
    const query = new URLSearchParams({ account: name, client_id: 'docker', service, scope });
    const answer = await fetch(`${realm}?${query}`, { headers: basic(name) });
    expect(answer.status).toBe(200);
    const { token } = (await answer.json()) as { token: string };
    return token;
  };

  it('pings, is challenged, gets a token, pulls the manifest and then its blobs', async () => {
    const ping = await fetch(`${v2.url}/v2/`);
    expect([ping.status, ping.headers.get('docker-distribution-api-version')]).toEqual([
      401,
      'registry/2.0',
    ]);
    const challenge = challengeOf(ping);
    const token = await tokenFor('reader', challenge, 'repository:team/there:pull');
    const headers = { authorization: `Bearer ${token}`, accept: image.descriptor.mediaType };
    expect((await fetch(`${v2.url}/v2/`, { headers })).status).toBe(200);
    const head = await fetch(`${v2.url}/v2/team/there/manifests/1`, { method: 'HEAD', headers });
    const digest = head.headers.get('docker-content-digest');
    expect(digest).toBe(image.digest);
    const manifest = await fetch(`${v2.url}/v2/team/there/manifests/${digest}`, { headers });
    expect(Buffer.from(await manifest.arrayBuffer()).equals(image.bytes)).toBe(true);
    for (const { descriptor, bytes } of image.blobs) {
      const blob = await fetch(`${v2.url}/v2/team/there/blobs/${descriptor.digest}`, { headers });
      expect(Buffer.from(await blob.arrayBuffer()).equals(bytes)).toBe(true);
    }
  });

  it('requests the scope of the challenge, and pushes with PATCH and PUT', async () => {
    const start = `${v2.url}/v2/team/docker/blobs/uploads/`;
    const challenge = challengeOf(await fetch(start, { method: 'POST' }));
    expect(challenge.scope).toBe('repository:team/docker:pull,push');
    const token = await tokenFor('writer', challenge, challenge.scope ?? '');
    const authorization = `Bearer ${token}`;
    for (const { descriptor, bytes } of image.blobs) {
      const begun = await fetch(start, { method: 'POST', headers: { authorization } });
      const next = new URL(begun.headers.get('location') ?? '', v2.url);
      const sent = await fetch(next, {
        method: 'PATCH',
        headers: { authorization },
        body: Buffer.from(bytes),
      });
      const last = new URL(sent.headers.get('location') ?? '', v2.url);
      last.searchParams.set('digest', descriptor.digest);
      expect((await fetch(last, { method: 'PUT', headers: { authorization } })).status).toBe(201);
    }
    const stored = await fetch(`${v2.url}/v2/team/docker/manifests/1`, {
      method: 'PUT',
      headers: { authorization, 'content-type': image.descriptor.mediaType },
      body: Buffer.from(image.bytes),
    });
    expect([stored.status, stored.headers.get('docker-content-digest')]).toEqual([
      201,
      image.digest,
    ]);
  });
});

describe('an account with can_pull only', () => {
  const UPLOADS = '/v2/team/there/blobs/uploads/';
  it.each([
    ['begin an upload', 'POST', () => UPLOADS],
    ['mount a blob', 'POST', () => `${UPLOADS}?mount=${image.digest}&from=team/there`],
    ['upload at once', 'POST', () => `${UPLOADS}?digest=${image.digest}`],
    ['send a chunk', 'PATCH', () => `${UPLOADS}u-1`],
    ['end an upload', 'PUT', () => `${UPLOADS}u-1?digest=${image.digest}`],
    ['query an upload', 'GET', () => `${UPLOADS}u-1`],
    ['cancel an upload', 'DELETE', () => `${UPLOADS}u-1`],
    ['put a tag', 'PUT', () => '/v2/team/there/manifests/2'],
    ['put a manifest', 'PUT', () => `/v2/team/there/manifests/${image.digest}`],
    ['delete a manifest', 'DELETE', () => `/v2/team/there/manifests/${image.digest}`],
    ['delete a tag', 'DELETE', () => '/v2/team/there/manifests/1'],
    ['delete a blob', 'DELETE', () => `/v2/team/there/blobs/${image.blobs[0]?.descriptor.digest}`],
  ])('may not %s', async (_, method, path) => {
    const answer = await fetch(v2.url + path(), as('reader', { method }));
    expect([answer.status, await codeOf(answer)]).toEqual([403, 'DENIED']);
  });

  it('may pull', async () => {
    for (const path of [`manifests/1`, `blobs/${image.blobs[0]?.descriptor.digest}`, 'tags/list']) {
      const accept = image.descriptor.mediaType;
      const answer = await fetch(
        `${v2.url}/v2/team/there/${path}`,
        as('reader', { headers: { accept } }),
      );
      await answer.body?.cancel();
      expect(answer.status).toBe(200);
    }
  });
});
