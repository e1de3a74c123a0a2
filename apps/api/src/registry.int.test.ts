/** `/v2` and REST together: the same accounts and folders, each with its own credentials. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import {
  buildArtifact,
  json,
  pushImage,
  scratchImage,
  skopeo,
  type TemporaryDir,
  temporaryDir,
  writeLayout,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { published, startApi, type TestApi } from './api.fixture.ts';

/** The registry returns an OCI manifest only to clients that accept its type. */
const OCI_MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

let api: TestApi;
let dir: TemporaryDir;
let layout: string;
let digest: string;
let annId: string;

beforeAll(async () => {
  [api, dir] = await Promise.all([startApi({ EGRESS_ALLOW: '127.0.0.1' }), temporaryDir()]);
  await api.account('root', { isAdmin: true });
  annId = await api.account('ann');
  await api.grant(annId, 'team', { canPull: true, canPush: true });
  await api.store.folders.insertFolder({ name: 'other' });
  layout = path.join(dir.path, 'layout');
  const image = await scratchImage();
  digest = image.digest;
  await writeLayout(layout, image);
});
afterAll(async () => {
  await api?.stop();
  await dir?.remove();
});

function basic(username: string, password = `pass-of-${username}`): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

function push(username: string, repository: string): Promise<string> {
  const creds = `--dest-creds=${username}:pass-of-${username}`;
  return skopeo(
    'copy',
    '--dest-tls-verify=false',
    creds,
    `oci:${layout}`,
    `docker://${api.host}/${repository}:1`,
  );
}

function v2(target: string, headers: Record<string, string> = {}) {
  return fetch(`${api.url}/v2/${target}`, { headers: { accept: OCI_MANIFEST, ...headers } });
}

async function tokenOf(username: string, scope = ''): Promise<string> {
  return (await json(v2(`token?service=${api.host}&scope=${scope}`, basic(username)))).token;
}

it('skopeo pushes and pulls under the folders’ grants', async () => {
  await push('root', 'other/app');
  await push('ann', 'team/app');
  await expect(push('ann', 'other/app')).rejects.toThrow();
  const read = ['--src-tls-verify=false', '--src-creds=ann:pass-of-ann'];
  await skopeo(
    'copy',
    ...read,
    `docker://${api.host}/team/app:1`,
    `oci:${path.join(dir.path, 'back')}:1`,
  );
  const answer = await v2('team/app/manifests/1', basic('ann'));
  expect(answer.headers.get('docker-content-digest')).toBe(digest);
  expect((await v2('other/app/manifests/1', basic('ann'))).status).toBe(403);
  const events = await published(api, 50);
  expect(
    events.some(
      ({ event, actor, resource }) =>
        event === 'image.push' && actor.name === 'ann' && resource?.folder === 'team',
    ),
  ).toBe(true);
  expect(
    events.some(
      ({ outcome, actor, status }) =>
        outcome === 'denied' && actor.name === 'ann' && status === 403,
    ),
  ).toBe(true);
});

it('without a credential the reply names the token endpoint and the service', async () => {
  const answer = await v2('');
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toContain(
    `Bearer realm="${api.url}/v2/token",service="${api.host}"`,
  );
  expect(answer.headers.get('portcullis-instance')).toMatch(/^[0-9a-f]{32}$/);
});

it('a token of one API is refused on the other', async () => {
  const [session, registry] = [(await api.as('ann')).token, await tokenOf('ann')];
  expect((await v2('', { authorization: `Bearer ${registry}` })).status).toBe(200);
  expect((await v2('', { authorization: `Bearer ${session}` })).status).toBe(401);
  expect((await v2('', { cookie: `pc_token=${session}` })).status).toBe(401);
  expect(
    (await fetch(`${api.url}/api/auth/me`, { headers: { authorization: `Bearer ${registry}` } }))
      .status,
  ).toBe(401);
});

it('a revoked grant ends at once, also for tokens issued before', async () => {
  const id = await api.account('cy');
  const { folderId, groupId } = await api.grant(id, 'team', { canPull: true });
  const bearer = { authorization: `Bearer ${await tokenOf('cy', 'repository:team/app:pull')}` };
  expect((await v2('team/app/manifests/1', bearer)).status).toBe(200);
  await api.store.folders.revoke(folderId, groupId);
  expect((await v2('team/app/manifests/1', bearer)).status).toBe(403);
  expect((await v2('team/app/manifests/1', basic('cy'))).status).toBe(403);
});

it('a new password ends tokens and cached credentials, disabling the account ends everything', async () => {
  const id = await api.account('di');
  const bearer = { authorization: `Bearer ${await tokenOf('di')}` };
  expect((await v2('', bearer)).status).toBe(200);
  expect((await v2('', basic('di'))).status).toBe(200);
  const { passwordHash } = await api.store.users.get(annId);
  await api.store.users.update(id, { passwordHash });
  expect((await v2('', bearer)).status).toBe(401);
  expect((await v2('', basic('di'))).status).toBe(401);
  expect((await v2('', basic('di', 'pass-of-ann'))).status).toBe(200);
  await api.store.users.update(id, { disabled: true });
  expect((await v2('', basic('di', 'pass-of-ann'))).status).toBe(401);
});

it('wrong passwords on /v2 and at the login share one limit', async () => {
  await api.account('flo');
  for (let n = 0; n < 5; n++) expect((await v2('', basic('flo', `wrong-${n}`))).status).toBe(401);
  expect((await v2('', basic('flo'))).status).toBe(429);
  const body = JSON.stringify({ username: 'flo', password: 'pass-of-flo' });
  const login = await fetch(`${api.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(login.status).toBe(429);
});

it('a port that forwards to us gets local rights only', async () => {
  const [host, port] = api.host.split(':');
  const relay = createServer((socket) => {
    const through = connect(Number(port), host);
    socket.pipe(through).pipe(socket);
    for (const end of [socket, through]) end.on('error', () => through.destroy());
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const back = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const ann = await api.as('ann');
  const body = { image: 'team/app', tag: '1', source_registry_host: back };
  expect(await json(ann.post('/api/staging/pull', body))).toMatchObject({
    source: { registry_id: '__local__' },
  });
  expect((await ann.post('/api/staging/pull', { ...body, image: 'other/app' })).status).toBe(403);
  relay.close();
});

it('what refers to an image is listed until it is removed', async () => {
  const image = await scratchImage();
  const signature = buildArtifact({
    artifactType: 'application/vnd.example.signature',
    layers: [{ mediaType: 'text/plain', bytes: Buffer.from('signed') }],
    subject: image.descriptor,
  });
  await pushImage(api.url, 'team/signed', null, signature, {
    credentials: { username: 'ann', password: 'pass-of-ann' },
  });
  const listed = async () => {
    const answer = await v2(`team/signed/referrers/${image.digest}`, basic('ann'));
    const { manifests } = (await json(answer)) as { manifests: { digest: string }[] };
    return manifests.map((each) => each.digest);
  };
  expect(await listed()).toEqual([signature.digest]);
  const path = `${api.url}/v2/team/signed/manifests/${signature.digest}`;
  expect((await fetch(path, { method: 'DELETE', headers: basic('ann') })).status).toBe(202);
  expect(await listed()).toEqual([]);
});

/** Sends a request about an upload as `ann`; replies with its status and the next address. */
async function upload(url: string, method: string, location: string, body?: string) {
  const init = { method, headers: basic('ann'), ...(body && { body }) };
  const answer = await fetch(new URL(location, url), init);
  return { status: answer.status, next: answer.headers.get('location') ?? '' };
}

const receivers = {
  'the registry': {
    start: () => startApi({ REGISTRY_STORAGE: '' }, api),
    kept: () => api.redis.keys('*v2:upload:*'),
  },
  "the registry's storage": {
    start: async () => ({ url: api.url, stop: async () => {} }),
    kept: () => readdir(path.join(api.registry.storageDir, 'portcullis-uploads')),
  },
};

it.each(Object.entries(receivers))(
  'an upload into %s continues with an earlier address, and its state is removed at its end',
  async (_, { start, kept }) => {
    const { url, stop } = await start();
    onTestFinished(stop);
    const begun = await upload(url, 'POST', '/v2/team/chunks/blobs/uploads/');
    await upload(url, 'PATCH', begun.next, 'abc');
    const uploadStatus = await upload(url, 'GET', begun.next);
    expect(uploadStatus.status).toBe(204);
    expect((await upload(url, 'PATCH', begun.next, 'def')).status).toBe(416);
    expect((await upload(url, 'PATCH', uploadStatus.next, 'def')).status).toBe(202);
    expect(await kept()).toHaveLength(1);
    const again = await upload(url, 'GET', begun.next);
    expect((await upload(url, 'DELETE', again.next)).status).toBe(204);
    expect(await kept()).toEqual([]);
  },
);
