/** The built-in registry as only we may reach it, and the index of what it holds. */
import {
  createIndexKeeper,
  createWriteGate,
  type IndexKeeper,
  parseRegistryUrl,
  type WriteGate,
} from '@portcullis/local-registry';
import { openRepository, type RegistryOptions, type Repository } from '@portcullis/oci/remote';
import type { StageParts } from './pipeline/stage-ports.ts';

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
  const { base, credentials } = parseRegistryUrl(config.REGISTRY_URL);
  const options: RegistryOptions = {
    host: base.host,
    tls: base.protocol === 'https:' ? 'required' : 'off',
    transport: transports.inner,
    ...(credentials && { credentials }),
  };
  const open = (repository: string) => openRepository({ ...options, repository });
  const keeper = createIndexKeeper({ index: store.images, open, now: () => new Date() });
  return { options, open, keeper, gate: createWriteGate(redis) };
}
