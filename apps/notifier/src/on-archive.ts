/** The consumer group `archive`: copies all audit events to the database. */
import { type AuditConsumer, type AuditEvent, consume } from '@portcullis/events';
import type { Logger, Part, Redis } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';

export interface ArchivePorts {
  redis: Redis;
  /** Inserts are idempotent, so at-least-once delivery is enough. */
  archive: Pick<Store['audit'], 'insert' | 'rescue' | 'removeOlderThan'>;
  consumer: string;
  retentionDays: number;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Events that arrive within a quarter of a second are archived by one statement. */
const BATCH = { batch: 1_000, gatherMs: 250 };
const RETENTION_EVERY_MS = 3_600_000;
const RESCUE_EVERY_MS = 60_000;
/** After this time an unarchived event was lost by Redis, for example in a failover. */
const RESCUED_AFTER_MS = 600_000;

export function onArchive({ redis, archive, consumer, retentionDays, log }: ArchivePorts): Part {
  let reading: AuditConsumer | null = null;
  const timers: NodeJS.Timeout[] = [];

  async function forget(): Promise<void> {
    try {
      const removed = await archive.removeOlderThan(retentionDays);
      if (removed > 0) log.info({ removed, retentionDays }, 'old audit events removed');
    } catch (error) {
      log.warn({ err: error }, 'old audit events were not removed');
    }
  }

  async function rescue(): Promise<void> {
    try {
      const rescued = await archive.rescue(RESCUED_AFTER_MS);
      if (rescued > 0)
        log.warn({ rescued }, 'audit events that the stream lost were archived from the outbox');
    } catch (error) {
      log.warn({ err: error }, 'the outbox of audit events could not be read');
    }
  }

  return {
    start() {
      reading = consume(redis, 'archive', (events: AuditEvent[]) => archive.insert(events), {
        ...BATCH,
        consumer,
        log,
      });
      timers.push(
        setInterval(() => void forget(), RETENTION_EVERY_MS),
        setInterval(() => void rescue(), RESCUE_EVERY_MS),
      );
      void forget();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await reading?.stop();
    },
  };
}
