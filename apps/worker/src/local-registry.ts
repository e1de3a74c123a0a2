/** The built-in registry with our credentials, and the index of its content. */
import {
  createIndexKeeper,
  createWriteLock,
  type IndexKeeper,
  type WriteLock,
} from '@portcullis/local-registry';
import { openRepository, type RegistryOptions, type Repository } from '@portcullis/oci/remote';
import { localRegistryOptions } from '@portcullis/registry-access';
import type { WorkerParts } from './pipeline/worker-parts.ts';

export interface LocalRegistry {
  options: RegistryOptions;
  open(repository: string): Repository;
  keeper: IndexKeeper;
  gate: WriteLock;
}

export function localRegistry({
  config,
  egress,
  store,
  redis,
}: Pick<WorkerParts, 'config' | 'egress' | 'store' | 'redis'>): LocalRegistry {
  const options = localRegistryOptions(config.REGISTRY_URL, egress.inner);
  const open = (repository: string) => openRepository({ ...options, repository });
  const keeper = createIndexKeeper({ index: store.images, open, now: () => new Date() });
  return { options, open, keeper, gate: createWriteLock(redis) };
}
