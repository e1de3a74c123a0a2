/** Starts the consumer of scans once a scan can have a result. Until then scans stay queued. */
import type { Consumer } from '@portcullis/queue';
import type { Logger, Part } from '@portcullis/runtime';

export interface ScanConsumerPorts {
  /** Whether a scan would end now; also true where there will never be a scanner. */
  answerable(): Promise<boolean>;
  consume(): Pick<Consumer, 'stop'>;
  everyMs: number;
  graceMs: number;
  log: Pick<Logger, 'info' | 'warn'>;
}

export function scanConsumer({
  answerable,
  consume,
  everyMs,
  graceMs,
  log,
}: ScanConsumerPorts): Part {
  let consumer: Pick<Consumer, 'stop'> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const open = await answerable().catch((error: unknown) => {
      log.warn({ err: error }, 'whether the scanner is ready is not known');
      return false;
    });
    if (!open) return;
    clearInterval(timer);
    consumer ??= consume();
    log.info('taking scans');
  }

  return {
    start() {
      looking = look();
      timer = setInterval(() => {
        looking = looking.then(() => (consumer ? undefined : look()));
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await looking;
      await consumer?.stop(graceMs);
    },
  };
}
