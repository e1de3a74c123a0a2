/** The way to the built-in registry and to saved ones, each with the rights of the account that saved it. */
import { LOCAL_REGISTRY_ID, type Principal } from '@portcullis/domain';
import { parseRegistryUrl } from '@portcullis/local-registry';
import { openRepository, type RegistryOptions, type Repository } from '@portcullis/oci/remote';
import type { SavedRegistry, Store } from '@portcullis/store';
import type { OwnHosts } from '../../egress/own-hosts.ts';
import type { Egress } from '../../egress/transports.ts';
import { visibleRegistry } from './visible.ts';

export interface OpenPorts {
  store: {
    registries: Pick<Store['registries'], 'find' | 'credentials'>;
    users: Pick<Store['users'], 'find'>;
  };
  egress: Pick<Egress, 'for' | 'inner'>;
  ownHosts: OwnHosts;
  /** Of the built-in registry; a user and password in it are used there. */
  registryUrl: string;
}

/** A saved registry may turn out to be our own: then folders decide, as for `__local__`. */
export type Place = { kind: 'local' } | { kind: 'saved'; saved: SavedRegistry };

export interface RegistryAccess {
  /** @throws not_found `REGISTRY_UNKNOWN` */
  locate(registryId: string, principal: Principal): Promise<Place>;
  /** @throws not_found `REGISTRY_UNKNOWN` */
  openSaved(registryId: string, repository: string, principal: Principal): Promise<Repository>;
  openLocal(repository: string): Repository;
  /** For what isn't about one repository. */
  optionsOf(place: Place): Promise<RegistryOptions>;
}

export function createRegistryAccess({
  store,
  egress,
  ownHosts,
  registryUrl,
}: OpenPorts): RegistryAccess {
  const local = localOptions(registryUrl, egress);

  async function locate(registryId: string, principal: Principal): Promise<Place> {
    if (registryId === LOCAL_REGISTRY_ID) return { kind: 'local' };
    const saved = await visibleRegistry(store.registries, registryId, principal);
    const own = saved.system || (await ownHosts.isOwn(saved.host, await trustOf(saved)));
    return own ? { kind: 'local' } : { kind: 'saved', saved };
  }

  async function openSaved(
    registryId: string,
    repository: string,
    principal: Principal,
  ): Promise<Repository> {
    const saved = await visibleRegistry(store.registries, registryId, principal);
    return openRepository({ ...(await optionsOf({ kind: 'saved', saved })), repository });
  }

  async function optionsOf(place: Place): Promise<RegistryOptions> {
    if (place.kind === 'local') return local;
    const { saved } = place;
    const credentials = await store.registries.credentials(saved.id);
    return {
      ...endpointOf(saved),
      transport: egress.for(await trustOf(saved)),
      ...(credentials && { credentials }),
    };
  }

  /** Whoever saved it, not whoever asks: an administrator who looks must not open a door for others. */
  async function trustOf({ ownerId }: SavedRegistry): Promise<{ isAdmin: boolean }> {
    if (ownerId === null) return { isAdmin: true };
    return { isAdmin: (await store.users.find(ownerId))?.isAdmin ?? false };
  }

  const openLocal = (repository: string) => openRepository({ ...local, repository });
  return { locate, openSaved, openLocal, optionsOf };
}

type Endpoint = Pick<SavedRegistry, 'host' | 'useTls' | 'tlsVerify' | 'caCert'>;

export function endpointOf({ host, useTls, tlsVerify, caCert }: Endpoint) {
  const tls = useTls ? ('required' as const) : ('off' as const);
  return { host, tls, tlsVerify, ...(caCert !== null && { ca: caCert }) };
}

function localOptions(registryUrl: string, egress: Pick<Egress, 'inner'>): RegistryOptions {
  const { base, credentials } = parseRegistryUrl(registryUrl);
  return {
    host: base.host,
    tls: base.protocol === 'https:' ? 'required' : 'off',
    transport: egress.inner,
    ...(credentials && { credentials }),
  };
}
