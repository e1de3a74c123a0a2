import { createTransport, type Transport } from '@portcullis/oci/remote';
import type { User } from '@portcullis/store';
import { samplePrincipal, sampleRegistry } from '@portcullis/testing/samples';
import { expect, it } from 'vitest';
import { createRegistryAccess } from './registry-access.ts';
import type { Trust } from './trust.ts';

const ROOT = samplePrincipal({ id: 'root', username: 'root', isAdmin: true });
const ANN = samplePrincipal({ id: 'ann', username: 'ann', isAdmin: false });
const BOB = samplePrincipal({ id: 'bob', username: 'bob', isAdmin: false });

/** `ownHosts` and the transports record how far each request may reach. */
function accessTo(ownerId: string | null, { dockerHubHost }: { dockerHubHost?: string } = {}) {
  const reaches: string[] = [];
  const transport: Transport = createTransport({ retries: 0 });
  const reachOf = ({ isAdmin }: Trust) => (isAdmin ? 'private' : 'public');
  const access = createRegistryAccess({
    store: {
      registries: {
        find: async () => sampleRegistry({ host: 'balancer.internal', ownerId }),
        credentials: async () => null,
      },
      users: { find: async (id) => ({ isAdmin: id === 'root' }) as User },
      referrers: { list: async () => [] },
    },
    egress: {
      for(account) {
        reaches.push(reachOf(account));
        return transport;
      },
      inner: transport,
    },
    ownHosts: { isOwn: async (_, { isAdmin }) => isAdmin },
    registryUrl: 'http://127.0.0.1:9',
    dockerHubHost,
  });
  return { access, reaches };
}

const RULE = [
  ['a global registry', null, ANN, 'private'],
  ['a global registry', null, ROOT, 'private'],
  ['an administrator’s registry', 'root', ROOT, 'private'],
  ['an account’s registry', 'ann', ANN, 'public'],
  ['an account’s registry', 'ann', ROOT, 'public'],
] as const;

it.each(RULE)(
  '%s (owner %s) reaches what its owner may reach, whoever uses it',
  async (_, owner, caller, reach) => {
    const { access, reaches } = accessTo(owner);
    await access.openSaved('r', 'team/app', caller);
    expect(reaches).toEqual([reach]);
  },
);

it.each(RULE)(
  'the probe whether %s (owner %s) is ours reaches no further',
  async (_, owner, caller, reach) => {
    const { kind } = await accessTo(owner).access.locate('r', caller);
    expect(kind).toBe(reach === 'private' ? 'local' : 'saved');
  },
);

it.each([
  ['an administrator', ROOT, 'private'],
  ['any other account', ANN, 'public'],
])('a host named by %s reaches what that account may reach', (_, caller, reach) => {
  const { access, reaches } = accessTo(null);
  access.openHost({ host: '10.1.2.3', repository: 'a', tls: 'off', credentials: null }, caller);
  expect(reaches).toEqual([reach]);
});

it.each([
  ['Docker Hub', undefined, 'public'],
  ['the operator’s replacement of Docker Hub', 'mirror.internal', 'private'],
])("%s is reached with the operator's configuration", (_, dockerHubHost, reach) => {
  const { access, reaches } = accessTo(null, dockerHubHost === undefined ? {} : { dockerHubHost });
  access.openDockerHub('alpine');
  expect(reaches).toEqual([reach]);
});

it('hides an account’s registry from other accounts', async () => {
  await expect(accessTo('ann').access.locate('r', BOB)).rejects.toMatchObject({
    code: 'REGISTRY_UNKNOWN',
  });
});

it('errors of the built-in registry do not have its address', async () => {
  const error = await accessTo(null).access.openLocal('team/app').tags().catch(String);
  expect(error).toContain("the built-in registry can't be reached");
  expect(error).not.toContain('127.0.0.1');
});
