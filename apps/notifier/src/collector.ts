import type { LiveNetwork } from '@portcullis/events';
import type { Resolve } from '@portcullis/notify';
import type { Logger, Redis } from '@portcullis/runtime';

/** What reading for a collector needs. */
export interface CollectorPorts {
  network: LiveNetwork;
  redis: Redis;
  /** Refuses our own services. */
  resolve: Resolve;
  /** This process. */
  consumer: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}
