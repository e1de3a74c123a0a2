/**
 * Server-sent events of the caller's transfers: a `transfer` event carries it as it is now. The
 * jobs of a transfer change many times a second, so their changes are gathered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type TransferEvent, TransferView, toWire } from '@portcullis/contract';
import type { ProgressEvent } from '@portcullis/events';
import type { Store, Transfer } from '@portcullis/store';
import {
  type EventSubscriber,
  type ReadableChanges,
  type SentEvent,
  type StreamPorts,
  serveEvents,
} from '../staging/serve-events.ts';
import { presentTransfer } from './present.ts';

export interface TransferEventPorts extends StreamPorts {
  transfers: Pick<Store['transfers'], 'ofChanges'>;
  /** How long changes are gathered. */
  gatherMs?: number | undefined;
}

const GATHER_MS = 1_000;

export async function streamTransferEvents(
  subscriber: EventSubscriber,
  ports: TransferEventPorts,
): Promise<void> {
  await serveEvents(subscriber, ports, (readable) => transferEvents(readable, ports));
}

async function* transferEvents(
  { changes, reader }: ReadableChanges,
  { transfers, reach, gatherMs = GATHER_MS }: TransferEventPorts,
): AsyncGenerator<SentEvent> {
  for await (const { id, jobs, own } of gather(changes, gatherMs)) {
    const found = await transfers.ofChanges({ jobIds: [...jobs], ids: [...own] });
    const changed = [...new Set([...own, ...found.map((transfer) => transfer.id)])];
    const reached = await Promise.all(changed.map((each) => reach.transfer(reader(), each)));
    const ids = changed.filter((_, position) => reached[position]);
    const events = eventsOf(found, ids);
    for (const [position, event] of events.entries())
      yield { id: position === events.length - 1 ? id : null, ...event };
  }
}

/** Of the transfers with these ids: one that was not found is deleted. */
function eventsOf(found: Transfer[], ids: readonly string[]): TransferEvent[] {
  const known = new Map(found.map((transfer) => [transfer.id, transfer]));
  return ids.map((id) => {
    const transfer = known.get(id);
    const data = transfer
      ? toWire(TransferView, presentTransfer(transfer))
      : { transfer_id: id, deleted: true as const };
    return { event: 'transfer', data };
  });
}

interface Gathered {
  /** Of the last change. */
  id: string;
  /** Ids of changed jobs. */
  jobs: Set<string>;
  /** Ids of transfers that changed themselves. */
  own: Set<string>;
}

/** Reads without a pause, because a subscription ends where its reader is too slow. */
async function* gather(
  changes: AsyncIterable<ProgressEvent>,
  gatherMs: number,
): AsyncGenerator<Gathered> {
  let next: Gathered | null = null;
  let isOver = false;
  let woken = Promise.withResolvers<void>();

  async function read(): Promise<void> {
    try {
      for await (const { id, kind, jobId } of changes) {
        if (kind === 'notifications') continue;
        next ??= { id, jobs: new Set(), own: new Set() };
        next.id = id;
        (kind === 'transfer' ? next.own : next.jobs).add(jobId);
        woken.resolve();
      }
    } finally {
      isOver = true;
      woken.resolve();
    }
  }

  const reading = read();
  // Its fault is thrown below, once what was gathered before has been sent.
  reading.catch(() => {});
  while (!isOver) {
    await woken.promise;
    if (!isOver) await sleep(gatherMs);
    woken = Promise.withResolvers();
    const taken: Gathered | null = next;
    next = null;
    if (taken) yield taken;
  }
  await reading;
}
