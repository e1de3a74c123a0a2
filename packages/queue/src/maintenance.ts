/**
 * Queues of requested maintenance, one per kind, so that only workers that can do it consume them.
 * An entry means that a row of this kind is due; the worker that takes it claims one.
 */
import { ENTRY_OPTIONS, type QueueConnection } from './connection.ts';
import { createConsumer, type TrackedConsumer } from './consumer.ts';
import type { DueMaintenance, MaintenanceQueue, QueueLog } from './port.ts';

export async function wake(
  connection: QueueConnection,
  { kind, id, attempts }: DueMaintenance,
  delayMs = 0,
): Promise<void> {
  const jobId = `${id}-${attempts}`;
  await connection.use(`maintenance-${kind}`, (queue) =>
    queue.add(kind, { id }, { ...ENTRY_OPTIONS, jobId, delay: delayMs }),
  );
}

/** The entry for an image without a report: one, however often it is pushed. */
export function firstScanOf(digest: string): DueMaintenance {
  return { kind: 'image-scan', id: `first-${digest.replace(':', '-')}`, attempts: 0 };
}

interface MaintenanceConsumer {
  kind: MaintenanceQueue;
  handler: (signal: AbortSignal) => Promise<void>;
  log: QueueLog | undefined;
}

export function consumeMaintenance(
  connection: QueueConnection,
  { kind, handler, log }: MaintenanceConsumer,
): TrackedConsumer {
  return createConsumer({
    connection,
    name: `maintenance-${kind}`,
    concurrency: 1,
    log,
    process: (entry, running) => running.track(entry.id ?? kind, handler),
  });
}
