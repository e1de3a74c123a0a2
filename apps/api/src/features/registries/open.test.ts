import type { Principal } from '@portcullis/domain';
import { createTransport } from '@portcullis/oci/remote';
import type { User } from '@portcullis/store';
import { samplePrincipal, sampleRegistry } from '@portcullis/testing/samples';
import { expect, it } from 'vitest';
import { createRegistryAccess } from './open.ts';

const saved = sampleRegistry({ host: 'balancer.internal' });

function principal(id: string, isAdmin: boolean): Principal {
  return samplePrincipal({ id, username: id, isAdmin });
}

/** Only who is trusted with private addresses gets through to the balancer, and sees that it leads back here. */
function accessTo(ownerId: string | null) {
  const unused = createTransport({});
  return createRegistryAccess({
    store: {
      registries: { find: async () => ({ ...saved, ownerId }), credentials: async () => null },
      users: { find: async (id) => ({ isAdmin: id === 'root' }) as User },
    },
    egress: { for: () => unused, inner: unused },
    ownHosts: { isOwn: async (_, { isAdmin }) => isAdmin },
    registryUrl: 'http://127.0.0.1:5000',
  });
}

it.each([
  ['a global one, which an administrator saved', null, principal('ann', false), 'local'],
  ['an administrator’s', 'root', principal('root', true), 'local'],
  ['an account’s own', 'ann', principal('ann', false), 'saved'],
])(
  '%s is asked whether it leads back here as far as whoever saved it may go',
  async (_, owner, asker, kind) => {
    expect((await accessTo(owner).locate('r', asker)).kind).toBe(kind);
  },
);
