/**
 * Queues of requested maintenance, one per kind, so that only workers that can do it consume them.
 * An entry means that a row of this kind is due; the worker that takes it claims one.
 */
import { traced } from '@portcullis/runtime';
import { ENTRY_OPTIONS, type QueueConnection, type QueueEntry } from './connection.ts';
import { createConsumer, type TrackedConsumer } from './consumer.ts';
import { continuing, isOfTrace, sending } from './origin.ts';
import type { DueMaintenance, MaintenanceQueue, QueueLog } from './port.ts';

export async function wake(
  connection: QueueConnection,
  { kind, id, attempts }: DueMaintenance,
  delayMs = 0,
): Promise<void> {
  const jobId = `${id}-${attempts}`;
  await connection.use(`maintenance-${kind}`, (queue) =>
    sending(kind, {}, async (fields) => {
      if (isOfTrace(fields)) await keepOrigin(connection, { kind, id }, fields);
      return queue.add(kind, { id }, { ...ENTRY_OPTIONS, jobId, delay: delayMs });
    }),
  );
}

type Row = Pick<DueMaintenance, 'kind' | 'id'>;

/** Traces end within minutes: what is done later belongs to none. */
const ORIGIN_SECONDS = 3_600;

function originKey({ keyOf }: QueueConnection, { kind, id }: Row): string {
  return keyOf(`maintenance-${kind}`)(`origin:${id}`);
}

/** Beside the entry, because the worker that takes an entry may claim another row. */
async function keepOrigin(connection: QueueConnection, row: Row, fields: QueueEntry) {
  const key = originKey(connection, row);
  await connection.redis.set(key, JSON.stringify(fields), 'EX', ORIGIN_SECONDS);
}

/** Runs the work of a claimed row, in the trace of the request that woke it, where there is one. */
export async function inTraceOf<T>(
  connection: QueueConnection,
  row: Row,
  work: () => Promise<T>,
): Promise<T> {
  // No work fails for want of its trace.
  const kept = await connection.redis.get(originKey(connection, row)).catch(() => null);
  if (kept === null) return work();
  const fields: QueueEntry = JSON.parse(kept);
  return continuing(fields, () => traced({ name: row.kind, kind: 'consumer' }, work));
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
