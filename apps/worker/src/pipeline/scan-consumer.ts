/** Takes scan jobs only once they can be answered: while the scanner is being set up they wait in their queue. */
import type { Consumer } from '@portcullis/queue';
import type { Logger, Part } from '@portcullis/runtime';

export interface ScanConsumerPorts {
  /** Whether a job taken now would get an answer, be it that there will never be a scanner here. */
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
