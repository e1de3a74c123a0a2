/**
 * A group reads the whole audit log, each event at least once.
 *
 * A consumer takes, in this order: what another one of its group left behind and didn't touch for a while (it died),
 * what it was given itself and could not deliver, and what is new. It acknowledges a batch once the handler resolved;
 * when the handler throws, the batch stays pending and comes again after a pause that grows. Nothing newer overtakes
 * it: a collector that is down gets everything, in order, when it is back.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { duplicateForBlocking, type Logger, type Redis } from '@portcullis/runtime';
import type { AuditEvent } from './audit-event.ts';
import { AUDIT_STREAM, entriesOf, parseEntry, type RawEntry } from './audit-stream.ts';

export interface ConsumeOptions {
  /** This process. */
  consumer: string;
  /** Events given at once; default 100. */
  batch?: number | undefined;
  /** How long another consumer of the group may hold an event untouched; default 30 s. */
  claimAfterMs?: number | undefined;
  log?: Pick<Logger, 'warn' | 'error'> | undefined;
}

export interface AuditConsumer {
  /** Waits for the handler that runs. What it did not take stays pending. */
  stop(): Promise<void>;
}

type Handler = (events: AuditEvent[]) => Promise<void>;

const BLOCK_MS = 2_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export function consume(
  redis: Redis,
  group: string,
  handler: Handler,
  options: ConsumeOptions,
): AuditConsumer {
  const { consumer, batch = 100, claimAfterMs = 30_000, log } = options;
  const reading = duplicateForBlocking(redis);
  const stopped = new AbortController();
  const reader = {
    redis,
    reading,
    group,
    consumer,
    batch,
    claimAfterMs,
    handler,
    stopped: stopped.signal,
    log,
  };
  const loop = run(reader);
  return {
    async stop() {
      stopped.abort();
      // Ends a blocking read. Acknowledgements go over the connection that was given.
      reading.disconnect();
      await loop;
    },
  };
}

interface Reader {
  redis: Redis;
  /** A connection of its own: it blocks. */
  reading: Redis;
  group: string;
  consumer: string;
  batch: number;
  claimAfterMs: number;
  handler: Handler;
  stopped: AbortSignal;
  log: ConsumeOptions['log'];
}

async function run(reader: Reader): Promise<void> {
  let failures = 0;
  while (!reader.stopped.aborted) {
    try {
      await createGroup(reader);
      await readUntilFault(reader, () => {
        failures = 0;
      });
    } catch (error) {
      if (reader.stopped.aborted) return;
      reader.log?.warn({ err: error, group: reader.group }, 'audit events were not taken; trying again');
      await backOff(failures++, reader.stopped);
    }
  }
}

/** A new group reads from the beginning of what there is. */
async function createGroup({ redis, group }: Reader): Promise<void> {
  try {
    await redis.xgroup('CREATE', AUDIT_STREAM, group, '0', 'MKSTREAM');
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('BUSYGROUP'))) throw error;
  }
}

async function readUntilFault(reader: Reader, delivered: () => void): Promise<void> {
  let nextClaim = 0;
  // `0`: what this consumer holds already; `>`: what nobody was given.
  let from: '0' | '>' = '0';
  while (!reader.stopped.aborted) {
    if (Date.now() >= nextClaim) {
      if (await claimAbandoned(reader)) from = '0';
      nextClaim = Date.now() + reader.claimAfterMs / 2;
    }
    const entries = await read(reader, from);
    if (entries.length > 0) {
      await deliver(reader, entries);
      delivered();
    } else from = '>';
  }
}

/** True when something of a dead consumer is this one's now. */
async function claimAbandoned({ redis, group, consumer, claimAfterMs }: Reader): Promise<boolean> {
  let cursor = '0-0';
  let claimed = false;
  do {
    const reply = await redis.xautoclaim(
      AUDIT_STREAM,
      group,
      consumer,
      claimAfterMs,
      cursor,
      'COUNT',
      100,
      'JUSTID',
    );
    const [next, ids] = reply as [string, string[]];
    claimed ||= ids.length > 0;
    cursor = next;
  } while (cursor !== '0-0');
  return claimed;
}

async function read({ reading, group, consumer, batch }: Reader, from: '0' | '>'): Promise<RawEntry[]> {
  return entriesOf(
    await reading.xreadgroup(
      'GROUP',
      group,
      consumer,
      'COUNT',
      batch,
      'BLOCK',
      BLOCK_MS,
      'STREAMS',
      AUDIT_STREAM,
      from,
    ),
  );
}

async function deliver(reader: Reader, entries: RawEntry[]): Promise<void> {
  const ids = entries.map(([id]) => id);
  const events = entries.filter(([, fields]) => fields !== null).map((entry) => parseEntry(entry).event);
  if (events.length > 0) await held(reader, ids, () => reader.handler(events));
  await reader.redis.xack(AUDIT_STREAM, reader.group, ...ids);
}

/** While the handler runs, for as long as it takes, no other consumer may think that this one is dead. */
async function held(
  { redis, group, consumer, claimAfterMs }: Reader,
  ids: string[],
  work: () => Promise<void>,
): Promise<void> {
  const timer = setInterval(() => {
    redis.xclaim(AUDIT_STREAM, group, consumer, 0, ...ids, 'JUSTID').catch(() => {});
  }, claimAfterMs / 3);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

async function backOff(failures: number, stopped: AbortSignal): Promise<void> {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  // Jitter, so that consumers that failed together don't come back together.
  await pause(longest * (0.5 + Math.random() / 2), undefined, { signal: stopped }).catch(() => {});
}
