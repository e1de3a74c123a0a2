/** `pcs credential-provider` as the kubelet runs it: JSON in, JSON out, and what it gives pulls. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type CiIssuer,
  json,
  pushImage,
  randomImage,
  startCiIssuer,
  type TemporaryDir,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import { bundlePcs, type Pcs } from './bundled.ts';

const SUBJECT = 'system:serviceaccount:shop:default';
const REQUEST = {
  kind: 'CredentialProviderRequest',
  apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
};

let api: TestApi;
let issuer: CiIssuer;
let dir: TemporaryDir;
let pcs: Pcs;
let image: string;
let count = 0;

beforeAll(async () => {
  [api, issuer, dir] = await Promise.all([startApi(), startCiIssuer(), temporaryDir()]);
  ({ pcs } = await bundlePcs(dir.path));
  const boss = await api.account('boss', { isAdmin: true });
  const { groupId } = await api.grant(boss, 'prod', { canPull: true });
  await api.store.folders.insertFolder({ name: 'secret' });
  const admin = await api.as('boss');
  const robot = await json(admin.post('/api/robots', { name: 'nodes', owner_group_id: groupId }));
  await trust(admin, robot.id);
  const made = await randomImage({ layers: 1, bytes: 1_000, compression: 'gzip' });
  for (const folder of ['prod', 'secret'])
    await pushImage(api.registry.url, `${folder}/app`, '1', made);
  image = `${api.host}/prod/app:1`;
});

afterAll(async () => {
  await api?.stop();
  await issuer?.stop();
  await dir?.remove();
});

const trust = (admin: Client, robot_id: string) =>
  json(
    admin.post('/api/trusts', {
      ...{ name: 'cluster', issuer: issuer.issuer, audience: api.url, robot_id, minutes: 15 },
      conditions: { sub: ['system:serviceaccount:shop:*'] },
      scope: { api: false, registry: true, folders: ['prod'], actions: ['pull'] },
    }),
  );

const tokenOf = (sub = SUBJECT) => issuer.sign({ sub, aud: [api.url] });
const newCache = () => path.join(dir.path, `cache-${++count}`);

function ask(request: unknown, cache = newCache(), args: string[] = []) {
  const env = { PORTCULLIS_URL: api.url };
  const input = typeof request === 'string' ? request : JSON.stringify(request);
  return pcs(['credential-provider', '--cache', cache, ...args], { env, input });
}

async function answered(request: object, cache?: string) {
  const { code, out, err } = await ask({ ...REQUEST, ...request }, cache);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

async function pullStatus(
  { username, password }: { username: string; password: string },
  name = 'prod',
) {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const reply = await fetch(`${api.url}/v2/${name}/app/manifests/1`, {
    headers: { authorization },
  });
  await reply.body?.cancel();
  return reply.status;
}

it('a pod pulls as the robot of its service account, and reads nothing else', async () => {
  const answer = await answered({ image, serviceAccountToken: tokenOf() });
  expect(answer).toEqual({
    kind: 'CredentialProviderResponse',
    apiVersion: REQUEST.apiVersion,
    cacheKeyType: 'Registry',
    cacheDuration: expect.stringMatching(/^8[34]\ds$/),
    auth: { [api.host]: { username: 'nodes', password: expect.stringMatching(/^pcr_/) } },
  });
  expect(await pullStatus(answer.auth[api.host])).toBe(200);
  expect(await pullStatus(answer.auth[api.host], 'secret')).toBe(403);
});

it.each(['registry.example.com', 'registry.example.com:443'])(
  'the answer for an image of %s names the host as the image does: the kubelet compares ports',
  async (host) => {
    for (const given of ['registry.example.com', 'registry.example.com:443']) {
      const request = { ...REQUEST, image: `${host}/prod/app:1`, serviceAccountToken: tokenOf() };
      const { out } = await ask(request, newCache(), ['--host', given]);
      expect(Object.keys(JSON.parse(out).auth)).toEqual([host]);
    }
  },
);

describe('the token of a pod, which the kubelet sends for each of its images', () => {
  it('is exchanged once, and kept for its owner alone', async () => {
    const [cache, serviceAccountToken] = [newCache(), tokenOf()];
    const first = await answered({ image, serviceAccountToken }, cache);
    const second = await answered({ image: `${api.host}/prod/b:2`, serviceAccountToken }, cache);
    expect(second.auth).toEqual(first.auth);
    const [file = ''] = await readdir(cache);
    expect(file).toMatch(/^[0-9a-f]{64}$/);
    const modes = [cache, path.join(cache, file)].map(
      async (each) => (await stat(each)).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o700, 0o600]);
  });

  it('is exchanged again once what was given has ended: the kubelet keeps it for longer', async () => {
    const [cache, serviceAccountToken] = [newCache(), tokenOf()];
    const passwordOf = async () =>
      (await answered({ image, serviceAccountToken }, cache)).auth[api.host].password;
    const first = await passwordOf();
    const [file = ''] = await readdir(cache);
    const kept = JSON.parse(await readFile(path.join(cache, file), 'utf8'));
    const ended = { ...kept, expiresAt: new Date(0) };
    await writeFile(path.join(cache, file), JSON.stringify(ended));
    const second = await passwordOf();
    expect(second).not.toBe(first);
    expect(await pullStatus({ username: 'nodes', password: second })).toBe(200);
    expect(await passwordOf()).toBe(second);
  });

  it('is exchanged once for several processes at the same time', async () => {
    const [cache, serviceAccountToken] = [newCache(), tokenOf()];
    const asked = [1, 2, 3].map(() => answered({ image, serviceAccountToken }, cache));
    const [first, ...others] = await Promise.all(asked);
    for (const { auth } of others) expect(auth).toEqual(first.auth);
  });

  it('is used once where nothing can be kept, with a word about it', async () => {
    const noFolder = path.join(dir.path, 'pcs.mjs', 'tokens');
    const request = { ...REQUEST, image, serviceAccountToken: tokenOf() };
    const { code, err } = await ask(request, noFolder);
    expect([code, err]).toEqual([0, expect.stringContaining('the token is not kept')]);
  });
});

it('an image of another registry gets no credentials, and the token stays here', async () => {
  const seen = issuer.requests.length;
  const answer = await answered({
    image: 'docker.io/library/nginx',
    serviceAccountToken: 'ey.x.y',
  });
  expect(answer).toMatchObject({ auth: {}, cacheDuration: '0s' });
  expect(issuer.requests.length).toBe(seen);
});

describe('bad input', () => {
  const invalid = '(CREDENTIAL_REQUEST_INVALID)';
  it.each<[string, () => unknown, string]>([
    ['nothing', () => '', invalid],
    ['another version', () => ({ ...REQUEST, apiVersion: 'v1alpha1', image }), invalid],
    ['no image', () => REQUEST, invalid],
    ['no token', () => ({ ...REQUEST, image }), 'tokenAttributes.serviceAccountTokenAudience'],
    [
      'a service account that no rule accepts',
      () => ({ ...REQUEST, image, serviceAccountToken: tokenOf('system:serviceaccount:evil:a') }),
      'IDENTITY_UNTRUSTED',
    ],
    [
      'a token of no account',
      () => ({ ...REQUEST, image, serviceAccountToken: 'token' }),
      'IDENTITY_TOKEN_INVALID',
    ],
  ])(
    '%s ends with a sentence on standard error, and with nothing to parse',
    async (_, request, said) => {
      const { code, out, err } = await ask(request());
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(said);
    },
  );

  it('no address is wrong usage', async () => {
    const { code, err } = await pcs(['credential-provider'], {
      input: JSON.stringify({ ...REQUEST, image }),
    });
    expect([code, err]).toEqual([2, expect.stringContaining('PORTCULLIS_URL')]);
  });
});
