import type { LiveNetwork } from '@portcullis/events';
import type { Logger, Redis } from '@portcullis/runtime';

/** What reading for a collector needs. */
export interface CollectorPorts {
  network: LiveNetwork;
  redis: Redis;
  /** This process. */
  consumer: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}
