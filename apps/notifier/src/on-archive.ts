/** The group `archive`: every audit event goes into the table, whatever happens to the stream afterwards. */
import { type AuditConsumer, type AuditEvent, consume } from '@portcullis/events';
import type { Logger, Part, Redis } from '@portcullis/runtime';
import type { AuditArchive } from '@portcullis/store';

export interface ArchivePorts {
  redis: Redis;
  /** Delivered twice is stored once, so at least once is enough. */
  archive: Pick<AuditArchive, 'insert' | 'removeOlderThan'>;
  consumer: string;
  retentionDays: number;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

const RETENTION_EVERY_MS = 3_600_000;

export function onArchive({ redis, archive, consumer, retentionDays, log }: ArchivePorts): Part {
  let reading: AuditConsumer | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function forget(): Promise<void> {
    try {
      const removed = await archive.removeOlderThan(retentionDays);
      if (removed > 0) log.info({ removed, retentionDays }, 'old audit events removed');
    } catch (error) {
      log.warn({ err: error }, 'old audit events were not removed');
    }
  }

  return {
    start() {
      reading = consume(redis, 'archive', (events: AuditEvent[]) => archive.insert(events), {
        consumer,
        log,
      });
      timer = setInterval(() => void forget(), RETENTION_EVERY_MS);
      void forget();
    },
    async stop() {
      clearInterval(timer);
      await reading?.stop();
    },
  };
}
