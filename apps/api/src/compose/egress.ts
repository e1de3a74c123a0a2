/** The api's transports for outgoing requests, configured by its settings. */
import type { LiveNetwork } from '@portcullis/events';
import { registrySocket } from '@portcullis/local-registry';
import { type Egress, openEgress } from '@portcullis/registry-access';
import { type Logger, overNetwork, traceOutgoing } from '@portcullis/runtime';
import type { ApiConfig } from '../config.ts';

/** A client waits for these requests, so they time out early. */
const TRANSPORT = { retries: 1, connectTimeoutMs: 3_000, stall: { idleMs: 15_000 } };

export function openApiEgress(
  config: ApiConfig,
  { network, log }: { network: Pick<LiveNetwork, 'current'>; log: Logger },
): Promise<Egress> {
  return openEgress({
    ownServices: overNetwork([config.DATABASE_URL, config.REDIS_URL, config.REGISTRY_URL]),
    innerSocket: registrySocket(config.REGISTRY_URL),
    allow: config.EGRESS_ALLOW,
    deny: config.EGRESS_DENY,
    storeOrigins: config.REGISTRY_STORE_ORIGINS,
    proxy: () => network.current().proxy,
    transport: { ...TRANSPORT, log, trace: traceOutgoing },
  });
}
