/** Opens the built-in registry, saved registries, hosts named in a request, and Docker Hub. */
import { LOCAL_REGISTRY_ID, type Principal } from '@portcullis/domain';
import { parseRegistryUrl } from '@portcullis/local-registry';
import {
  type Descriptor,
  type Digest,
  DOCKER_HUB_HOST,
  dockerHubRepository,
  parseDigest,
} from '@portcullis/oci';
import {
  openRepository,
  type RegistryOptions,
  type Repository,
  type RepositoryOptions,
  type Transport,
} from '@portcullis/oci/remote';
import type { Credentials, Referrer, SavedRegistry, Store } from '@portcullis/store';
import type { Egress } from './egress.ts';
import type { OwnHosts } from './own-hosts.ts';
import { type Trust, trustOf, visibleRegistry } from './trust.ts';

export interface RegistryAccessPorts {
  store: {
    registries: Pick<Store['registries'], 'find' | 'credentials'>;
    users: Pick<Store['users'], 'find'>;
    referrers: Pick<Store['referrers'], 'list'>;
  };
  egress: Pick<Egress, 'for' | 'inner'>;
  /** The built-in registry's, with its user and password if it wants any. */
  registryUrl: string;
  /** Null where only locations are opened that the api resolved: it stored `__local__` for ours. */
  ownHosts: OwnHosts | null;
  /** An operator's replacement for Docker Hub. */
  dockerHubHost?: string | undefined;
}

/** A saved registry may be this installation: then folders decide, as for `__local__`. */
export type RegistryLocation = { kind: 'local' } | { kind: 'saved'; saved: SavedRegistry };

type RegistryUser = Pick<Principal, 'id' | 'isAdmin'>;

/** A host that a request names, with the credentials that came with the request. */
type NamedHost = Pick<RepositoryOptions, 'host' | 'repository' | 'tls' | 'tlsVerify'> & {
  credentials: Credentials | null;
};

export interface RegistryAccess {
  /** @throws not_found `REGISTRY_UNKNOWN` */
  locate(registryId: string, principal: RegistryUser): Promise<RegistryLocation>;
  /** @throws not_found `REGISTRY_UNKNOWN` */
  openSaved(registryId: string, repository: string, principal: RegistryUser): Promise<Repository>;
  openLocal(repository: string): Repository;
  openHost(host: NamedHost, account: Trust): Repository;
  openDockerHub(repository: string): Repository;
  /**
   * A repository of the upstream of a mirror: a saved registry of all accounts, or with null Docker
   * Hub. A client waits for the answer, so each request is sent once.
   * @throws not_found `REGISTRY_UNKNOWN`
   */
  openUpstream(registryId: string | null, repository: string): Promise<Repository>;
  /** For requests that are not about one repository, such as the catalog. */
  optionsOf(location: RegistryLocation): Promise<RegistryOptions>;
}

export function createRegistryAccess({
  store,
  egress,
  registryUrl,
  ownHosts,
  dockerHubHost,
}: RegistryAccessPorts): RegistryAccess {
  const local = localRegistryOptions(registryUrl, egress.inner);

  async function locate(registryId: string, principal: RegistryUser): Promise<RegistryLocation> {
    if (registryId === LOCAL_REGISTRY_ID) return { kind: 'local' };
    const saved = await visibleRegistry(store.registries, registryId, principal);
    return (await isOurs(saved)) ? { kind: 'local' } : { kind: 'saved', saved };
  }

  async function isOurs(saved: SavedRegistry): Promise<boolean> {
    if (saved.system || ownHosts === null) return saved.system;
    return ownHosts.isOwn(saved.host, await trustOf(saved, store.users));
  }

  async function openSaved(
    id: string,
    repository: string,
    principal: RegistryUser,
  ): Promise<Repository> {
    const saved = await visibleRegistry(store.registries, id, principal);
    return openRepository({ ...(await optionsOf({ kind: 'saved', saved })), repository });
  }

  async function optionsOf(location: RegistryLocation): Promise<RegistryOptions> {
    if (location.kind === 'local') return local;
    const { saved } = location;
    const credentials = await store.registries.credentials(saved.id);
    return {
      ...endpointOf(saved),
      transport: egress.for(await trustOf(saved, store.users)),
      ...(credentials && { credentials }),
    };
  }

  function openHost({ credentials, ...host }: NamedHost, account: Trust): Repository {
    const transport = egress.for(account);
    return openRepository({ ...host, transport, ...(credentials && { credentials }) });
  }

  function dockerHub(repository: string): RepositoryOptions {
    return {
      host: dockerHubHost ?? DOCKER_HUB_HOST,
      repository: dockerHubRepository(repository),
      tls: dockerHubHost === undefined ? 'required' : 'loopback-fallback',
      transport: egress.for({ isAdmin: dockerHubHost !== undefined }),
    };
  }

  async function openUpstream(registryId: string | null, repository: string): Promise<Repository> {
    const options =
      registryId === null
        ? dockerHub(repository)
        : { ...(await optionsOf(await globalRegistry(registryId))), repository };
    return openRepository({ ...options, transport: sendingOnce(options.transport) });
  }

  /** One identity for all accounts: what belongs to one account is not for the others. */
  async function globalRegistry(id: string): Promise<RegistryLocation> {
    return { kind: 'saved', saved: await visibleRegistry(store.registries, id, NO_ACCOUNT) };
  }

  const openLocal = localRepositories(local, store.referrers);
  const openDockerHub = (repository: string) => openRepository(dockerHub(repository));
  return { locate, openSaved, openLocal, openHost, openDockerHub, openUpstream, optionsOf };
}

const NO_ACCOUNT = { id: '', isAdmin: false };

function sendingOnce(transport: Transport): Transport {
  return { ...transport, send: (call) => transport.send({ ...call, retry: false }) };
}

type HostPort = Pick<SavedRegistry, 'host' | 'useTls' | 'tlsVerify' | 'caCert' | 'tokenHosts'>;

export function endpointOf({ host, useTls, tlsVerify, caCert, tokenHosts }: HostPort) {
  const tls = useTls ? ('required' as const) : ('off' as const);
  return { host, tls, tlsVerify, tokenHosts, ...(caCert !== null && { ca: caCert }) };
}

/** The program of the built-in registry lists no referrers; our index does, as `/v2` has it. */
export function localRepositories(
  options: RegistryOptions,
  referrers: Pick<Store['referrers'], 'list'>,
): (repository: string) => Repository {
  return (repository) => {
    const recorded = async (subject: Digest) =>
      (await referrers.list({ repository, subject })).map(toDescriptor);
    return openRepository({ ...options, repository, recorded });
  };
}

function toDescriptor({
  mediaType,
  digest,
  size,
  artifactType,
  annotations,
}: Referrer): Descriptor {
  return {
    mediaType,
    digest: parseDigest(digest),
    size,
    ...(artifactType !== null && { artifactType }),
    ...(annotations !== null && { annotations }),
  };
}

export function localRegistryOptions(registryUrl: string, transport: Transport): RegistryOptions {
  const { base, credentials } = parseRegistryUrl(registryUrl);
  return {
    host: base.host,
    tls: base.protocol === 'https:' ? 'required' : 'off',
    transport,
    // Its address is inside of the installation.
    shownAs: 'the built-in registry',
    ...(credentials && { credentials }),
  };
}
