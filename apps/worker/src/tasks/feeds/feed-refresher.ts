/** Runs `refreshFeeds` with the parts of the worker. */
import { publishChange } from '@portcullis/events';
import { parseRegistryUrl } from '@portcullis/local-registry';
import type { Image } from '@portcullis/oci';
import { openRepository, type Repository } from '@portcullis/oci/remote';
import { localRegistry } from '../../local-registry.ts';
import type { WorkerParts } from '../../pipeline/worker-parts.ts';
import { fetchFeed } from './fetch-feed.ts';
import { type RefreshFeedsPorts, refreshFeeds } from './refresh-feeds.ts';

/** A call during a run joins it: at a start the recurring task and that of the start may meet. */
export function feedRefresher(parts: WorkerParts): (signal: AbortSignal) => Promise<void> {
  const ports = portsOf(parts);
  let running: Promise<void> | null = null;
  return (signal) => {
    running ??= refreshFeeds(ports, signal).finally(() => {
      running = null;
    });
    return running;
  };
}

function portsOf(parts: WorkerParts): RefreshFeedsPorts {
  const { audit, config, egress, log, redis, store } = parts;
  const transport = egress.configured;
  const fetching = { transport, open: (image: Image) => openArtifact(parts, image) };
  return {
    feeds: store.feeds,
    addresses: { epss: config.EPSS_URL, kev: config.KEV_URL },
    fetch: (address, validator, signal) => fetchFeed(address, validator, fetching, signal),
    async announce() {
      await audit.flush();
      await publishChange(redis, 'settings');
    },
    now: () => new Date(),
    log,
  };
}

/** The built-in registry, which may mirror the feeds, needs our credentials and may lack TLS. */
function openArtifact(parts: WorkerParts, { host, repository }: Image): Repository {
  const { base } = parseRegistryUrl(parts.config.REGISTRY_URL);
  if (host === base.host) return localRegistry(parts).open(repository);
  const transport = parts.egress.configured;
  return openRepository({ host, repository, tls: 'loopback-fallback', transport });
}
