/** The built-in registry as only we may reach it, and the index of what it holds. */
import { createIndexKeeper, type IndexKeeper } from '@portcullis/local-registry';
import { type Descriptor, type Digest, isManifestType, type Target } from '@portcullis/oci';
import { openRepository, type RegistryOptions, type Repository } from '@portcullis/oci/remote';
import type { StageParts } from './stage-ports.ts';

export interface LocalRegistry {
  options: RegistryOptions;
  open(repository: string): Repository;
  keeper: IndexKeeper;
}

export function localRegistry({
  config,
  transports,
  store,
}: Pick<StageParts, 'config' | 'transports' | 'store'>): LocalRegistry {
  const url = new URL(config.REGISTRY_URL);
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const options: RegistryOptions = {
    host: url.host,
    tls: url.protocol === 'https:' ? 'required' : 'off',
    transport: transports.inner,
    ...(username !== '' && { credentials: { username, password } }),
  };
  const open = (repository: string) => openRepository({ ...options, repository });
  const keeper = createIndexKeeper({ index: store.images, open, now: () => new Date() });
  return { options, open, keeper };
}

export interface Recorded {
  target: Target;
  /** Brings the index up to date with what was written. */
  record(): Promise<void>;
}

/** Also what travels along: referrers, and the tags that lead to them. */
export function recorded(repository: string, target: Repository, keeper: IndexKeeper): Recorded {
  const manifests = new Set<Digest>();
  const tags = new Set<string>();
  return {
    target: {
      resolve: (reference, options) => target.resolve(reference, options),
      fetch: (descriptor, options) => target.fetch(descriptor, options),
      exists: (descriptor, options) => target.exists(descriptor, options),
      mount: (descriptor, from, options) => target.mount(descriptor, from, options),
      async push(descriptor: Descriptor, open, options) {
        await target.push(descriptor, open, options);
        if (isManifestType(descriptor.mediaType)) manifests.add(descriptor.digest);
      },
      async tag(descriptor, tag, options) {
        await target.tag(descriptor, tag, options);
        tags.add(tag);
      },
    },
    async record() {
      for (const reference of [...manifests, ...tags]) await keeper.look(repository, reference);
    },
  };
}
