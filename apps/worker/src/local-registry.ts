/** The built-in registry as only we may reach it, and the index of what it holds. */
import {
  createIndexKeeper,
  createWriteGate,
  type IndexKeeper,
  type WriteGate,
} from '@portcullis/local-registry';
import { openRepository, type RegistryOptions, type Repository } from '@portcullis/oci/remote';
import type { StageParts } from './stage-ports.ts';

export interface LocalRegistry {
  options: RegistryOptions;
  open(repository: string): Repository;
  keeper: IndexKeeper;
  gate: WriteGate;
}

export function localRegistry({
  config,
  transports,
  store,
  redis,
}: Pick<StageParts, 'config' | 'transports' | 'store' | 'redis'>): LocalRegistry {
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
  return { options, open, keeper, gate: createWriteGate(redis) };
}
