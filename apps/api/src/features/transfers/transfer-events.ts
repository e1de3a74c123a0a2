/**
 * Server-sent events of the caller's transfers: a `transfer` event carries it as it is now. The
 * jobs of a transfer change many times a second, so their changes are gathered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransferEvent } from '@portcullis/contract';
import type { ProgressEvent } from '@portcullis/events';
import type { Store, Transfer } from '@portcullis/store';
import {
  type SentEvent,
  type StreamCaller,
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
  caller: StreamCaller,
  ports: TransferEventPorts,
): Promise<void> {
  await serveEvents(caller, ports, (changes) => transferEvents(changes, ports));
}

async function* transferEvents(
  changes: AsyncIterable<ProgressEvent>,
  { transfers, gatherMs = GATHER_MS }: TransferEventPorts,
): AsyncGenerator<SentEvent> {
  for await (const { id, jobs, own } of gathered(changes, gatherMs)) {
    const found = await transfers.ofChanges({ jobIds: [...jobs], ids: [...own] });
    const events = eventsOf(found, own);
    for (const [position, event] of events.entries())
      yield { id: position === events.length - 1 ? id : null, ...event };
  }
}

function eventsOf(found: Transfer[], own: ReadonlySet<string>): TransferEvent[] {
  const known = new Set(found.map(({ id }) => id));
  const gone = [...own].filter((id) => !known.has(id));
  return [
    ...found.map((transfer) => ({
      event: 'transfer' as const,
      data: presentTransfer(transfer),
    })),
    ...gone.map((id) => ({
      event: 'transfer' as const,
      data: { transfer_id: id, deleted: true as const },
    })),
  ];
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
async function* gathered(
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
