/** The ports of a consumer group that delivers audit events to a collector. */
import type { LiveNetwork } from '@portcullis/events';
import type { Resolve } from '@portcullis/notify';
import type { Logger, Redis } from '@portcullis/runtime';

/** Ports of a reader for a collector. */
export interface CollectorPorts {
  network: LiveNetwork;
  redis: Redis;
  /** Refuses addresses of our own services. */
  resolve: Resolve;
  /** Name of this process in the consumer group. */
  consumer: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}
