/** The built-in registry with our credentials, and the index of its content. */
import {
  createIndexKeeper,
  createWriteLock,
  type IndexKeeper,
  storedContent,
  type WriteLock,
} from '@portcullis/local-registry';
import type { RegistryOptions, Repository } from '@portcullis/oci/remote';
import { firstScanOf } from '@portcullis/queue';
import { localRegistryOptions, localRepositories } from '@portcullis/registry-access';
import type { WorkerParts } from './pipeline/worker-parts.ts';

export interface LocalRegistry {
  options: RegistryOptions;
  /** With the referrers that our index has. */
  open(repository: string): Repository;
  keeper: IndexKeeper;
  registryLock: WriteLock;
}

export function localRegistry({
  config,
  egress,
  store,
  redis,
  queues,
  log,
}: Pick<WorkerParts, 'config' | 'egress' | 'store' | 'redis' | 'queues' | 'log'>): LocalRegistry {
  const options = localRegistryOptions(config.REGISTRY_URL, egress.inner);
  const open = localRepositories(options, store.referrers);
  const keeper = createIndexKeeper({
    index: store.images,
    open,
    storage: config.REGISTRY_STORAGE === undefined ? null : storedContent(config.REGISTRY_STORAGE),
    async tagged({ digest }) {
      if (!config.TRIVY_ENABLED) return;
      await queues
        .wake(firstScanOf(digest))
        .catch((err: unknown) => log.warn({ err, digest }, 'the sweeper enqueues a scan later'));
    },
  });
  return { options, open, keeper, registryLock: createWriteLock(redis) };
}
