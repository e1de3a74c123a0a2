import type { Principal } from '@portcullis/domain';
import { createTransport } from '@portcullis/oci/remote';
import { createRegistryAccess } from '@portcullis/registry-access';
import type { SavedRegistry } from '@portcullis/store';
import { samplePrincipal, sampleRegistry } from '@portcullis/testing/samples';
import { describe, expect, it } from 'vitest';
import { destinationOf, type PushOrder } from './destination.ts';
import { type PullOrder, resolveSource } from './source.ts';

const ANN = samplePrincipal({
  grants: [
    {
      folder: 'team',
      canPull: true,
      canPush: true,
      canPullExternal: false,
      canPushExternal: false,
    },
  ],
});

function saved(change: Partial<SavedRegistry>): SavedRegistry {
  return sampleRegistry({ host: 'quay.io', username: 'acme', hasPassword: true, ...change });
}

const REGISTRIES: Record<string, SavedRegistry> = {
  quay: saved({ id: 'quay' }),
  ecr: saved({ id: 'ecr', host: 'ecr.example', username: 'AWS' }),
  hub: saved({ id: 'hub', host: 'registry-1.docker.io', username: null }),
  mirrorOfUs: saved({ id: 'mirrorOfUs', host: 'us.example' }),
  bobs: saved({ id: 'bobs', ownerId: 'bob' }),
};
const unused = createTransport({});
const checkedHosts: string[] = [];
const ownHosts = {
  async isOwn(host: string) {
    checkedHosts.push(host);
    return host === 'us.example';
  },
};
const { locate } = createRegistryAccess({
  store: {
    registries: { find: async (id) => REGISTRIES[id] ?? null, credentials: async () => null },
    users: { find: async () => null },
    referrers: { list: async () => [] },
  },
  egress: { for: () => unused, inner: unused },
  ownHosts,
  registryUrl: 'http://127.0.0.1:5000',
});
const PORTS = {
  locate,
  folders: { names: async () => ['__root__', 'team'] },
  ownHosts,
  publicHost: () => 'us.example',
};

describe('the source of a pull', () => {
  const order: PullOrder = {
    image: 'team/app',
    tag: '1',
    registryId: null,
    host: null,
    credentials: null,
    useTls: null,
    tlsVerify: null,
    platforms: 'all',
    destination: null,
    withReferrers: true,
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
  };
  it.each<[string, Partial<PullOrder>, object]>([
    [
      'is Docker Hub where nothing is named',
      {},
      {
        source: { kind: 'dockerhub', host: 'registry-1.docker.io' },
        right: { action: 'pull_external' },
      },
    ],
    [
      'is the saved registry before the host',
      { registryId: 'quay', host: 'ghcr.io' },
      { source: { kind: 'registry', registryId: 'quay', host: 'quay.io' } },
    ],
    [
      'is the named host',
      { host: 'GHCR.io', useTls: false },
      { source: { kind: 'host', registryId: null, host: 'ghcr.io', useTls: false } },
    ],
    [
      'completes an image of Docker Hub',
      { registryId: 'hub', image: 'nginx' },
      { image: 'library/nginx' },
    ],
    [
      'is ours by its name, under can_pull',
      { registryId: '__local__' },
      { source: { registryId: '__local__' }, right: { action: 'pull', repository: 'team/app' } },
    ],
    [
      'is ours by a saved entry that leads here',
      { registryId: 'mirrorOfUs' },
      { source: { registryId: '__local__' }, right: { action: 'pull' } },
    ],
    [
      'is ours by a host that leads here, without its credentials',
      { host: 'us.example', credentials: { username: 'a', password: 'b' } },
      { source: { registryId: '__local__' }, credentials: null },
    ],
  ])('%s', async (_, change, expected) => {
    expect(await resolveSource({ ...order, ...change }, ANN, PORTS)).toMatchObject(expected);
  });

  it.each<[string, Partial<PullOrder>, string]>([
    ['a registry of another account doesn’t exist', { registryId: 'bobs' }, 'REGISTRY_UNKNOWN'],
    ['a host inside the image is refused', { image: 'ghcr.io/team/app' }, 'IMAGE_HAS_HOST'],
  ])('%s', async (_, change, code) => {
    await expect(resolveSource({ ...order, ...change }, ANN, PORTS)).rejects.toMatchObject({
      code,
    });
  });
});

describe('the destination of a push', () => {
  const order: PushOrder = {
    targetImage: 'app',
    targetTag: '1',
    folder: null,
    registryId: null,
    host: null,
    username: null,
  };
  it.each<[string, Partial<PushOrder>, object]>([
    [
      'is the local registry where nothing is named',
      {},
      { kind: 'local', host: 'us.example', repository: 'app', folder: '__root__' },
    ],
    ['is under the folder', { folder: 'team' }, { repository: 'team/app', folder: 'team' }],
    [
      'is not under the folder twice',
      { folder: 'team', targetImage: 'team/app' },
      { repository: 'team/app', folder: 'team' },
    ],
    ['is under the folder its path names', { targetImage: 'team/app' }, { folder: 'team' }],
    [
      'rewrites the namespace for a saved registry',
      { registryId: 'quay', targetImage: 'team/app' },
      { kind: 'registry', host: 'quay.io', repository: 'acme/app', folder: null },
    ],
    [
      'keeps the path where the username is none for a path',
      { registryId: 'ecr', targetImage: 'team/app' },
      { repository: 'team/app' },
    ],
    [
      'rewrites the namespace for a host',
      { host: 'ghcr.io', username: 'ann', targetImage: 'team/app' },
      { kind: 'host', host: 'ghcr.io', repository: 'ann/app' },
    ],
    [
      'is local where a saved entry leads here',
      { registryId: 'mirrorOfUs', targetImage: 'team/app' },
      { kind: 'local', repository: 'team/app', folder: 'team' },
    ],
    [
      'is local where a host leads here',
      { host: 'us.example', username: 'ann', targetImage: 'team/app' },
      { kind: 'local', repository: 'team/app', folder: 'team' },
    ],
  ])('%s', async (_, change, expected) => {
    expect(await destinationOf({ ...order, ...change }, ANN, PORTS)).toMatchObject(expected);
  });

  it.each<[string, Partial<PushOrder>, string]>([
    ['what can be no folder', { folder: 'gh:ost' }, 'FOLDER_UNKNOWN'],
    [
      'a path that grows too long',
      { folder: 'team', targetImage: 'a'.repeat(253) },
      'NAME_INVALID',
    ],
    ['a registry of another account', { registryId: 'bobs' }, 'REGISTRY_UNKNOWN'],
  ])('%s is refused', async (_, change, code) => {
    await expect(destinationOf({ ...order, ...change }, ANN, PORTS)).rejects.toMatchObject({
      code,
    });
  });
});

describe('a destination in a folder that does not exist', () => {
  const order: PushOrder = {
    ...{ targetImage: 'app', targetTag: '1', folder: ' Ghost ', registryId: null },
    ...{ host: null, username: null },
  };

  it('is refused to an administrator by its name', async () => {
    const admin = samplePrincipal({ isAdmin: true });
    await expect(destinationOf(order, admin, PORTS)).rejects.toMatchObject({
      code: 'FOLDER_UNKNOWN',
    });
  });

  it('is that folder for others, who have no rights there, and not the root folder', async () => {
    const found = await destinationOf(order, ANN, PORTS);
    expect(found).toMatchObject({ repository: 'ghost/app', folder: 'ghost' });
  });
});

describe('no request is sent to a host for an account without the local and the external right', () => {
  const NONE = { canPull: false, canPush: false, canPullExternal: false, canPushExternal: false };
  const may = (flags: Partial<typeof NONE>) => ({
    ...ANN,
    grants: [{ folder: 'team', ...NONE, ...flags }],
  });
  const pull = (principal: Principal) =>
    resolveSource(
      {
        image: 'team/app',
        registryId: null,
        host: 'us.example',
        credentials: null,
        useTls: null,
        tlsVerify: null,
      },
      principal,
      PORTS,
    );
  const push = (principal: Principal) =>
    destinationOf(
      {
        targetImage: 'team/app',
        targetTag: '1',
        folder: null,
        registryId: null,
        host: 'us.example',
        username: null,
      },
      principal,
      PORTS,
    );

  it.each<[string, (principal: Principal) => Promise<object>, Principal, number]>([
    ['a pull without a right', pull, may({}), 0],
    ['a pull with the rights to push', pull, may({ canPush: true, canPushExternal: true }), 0],
    ['a pull with the local right', pull, may({ canPull: true }), 1],
    ['a pull with the external right', pull, may({ canPullExternal: true }), 1],
    ['a pull of an administrator', pull, { ...may({}), isAdmin: true }, 1],
    ['a push without a right', push, may({}), 0],
    ['a push with the rights to pull', push, may({ canPull: true, canPullExternal: true }), 0],
    ['a push with the local right', push, may({ canPush: true }), 1],
    ['a push with the external right', push, may({ canPushExternal: true }), 1],
  ])('%s', async (_, ask, principal, times) => {
    checkedHosts.length = 0;
    await ask(principal);
    expect(checkedHosts).toHaveLength(times);
  });

  it('and the host is then refused as external', async () => {
    expect(await pull(may({}))).toMatchObject({ right: { action: 'pull_external' } });
    expect(await push(may({}))).toMatchObject({ kind: 'host' });
  });
});
