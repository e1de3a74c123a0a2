/**
 * A consumer group reads a stream with at-least-once delivery.
 *
 * A consumer takes, in this order: entries of dead consumers of its group, its own pending entries,
 * and new ones. It acknowledges a batch after the handler resolved. When the handler throws, the
 * batch stays pending and is retried with a growing pause, and nothing newer overtakes it: a
 * collector that was down receives everything, in order. With `exclusive` only one process of the
 * group reads at a time, which keeps the order across processes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditEvent } from '@portcullis/domain';
import { duplicateForBlocking, type Logger, type Redis } from '@portcullis/runtime';
import { AUDIT_STREAM, entriesOf, type RawEntry } from '../audit/audit-stream.ts';
import { beginGroup } from './group.ts';
import { parseOnce } from './parse-once.ts';
import { takeTurns } from './turn.ts';

export interface ConsumeOptions {
  /** Name of this process in the group. */
  consumer: string;
  /** Entries per batch; default 100. */
  batch?: number | undefined;
  /** Idle time after which entries of another consumer are claimed; default 30 s. */
  claimAfterMs?: number | undefined;
  /** One consumer of the group at a time; another one takes over within seconds of its death. */
  exclusive?: boolean | undefined;
  /** How long entries are gathered for one batch; default 0. */
  gatherMs?: number | undefined;
  /** Start of a new group, in the stream's time in milliseconds. */
  since?: number | null | undefined;
  log?: Pick<Logger, 'warn' | 'error'> | undefined;
}

export interface AuditConsumer {
  /** Waits for the running handler. What it did not process stays pending. */
  stop(): Promise<void>;
}

const BLOCK_MS = 2_000;
const SHORTEST_CLAIM_MS = 1_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export function consume(
  redis: Redis,
  group: string,
  handler: (events: AuditEvent[]) => Promise<void>,
  options: ConsumeOptions,
): AuditConsumer {
  return consumeStream(redis, { stream: AUDIT_STREAM, group }, handler, options);
}

/** The same for any stream with JSON in one field. */
export function consumeStream<T>(
  redis: Redis,
  { stream, group }: { stream: string; group: string },
  handler: (items: T[]) => Promise<void>,
  options: ConsumeOptions,
): AuditConsumer {
  const {
    batch = 100,
    claimAfterMs = 30_000,
    exclusive = false,
    gatherMs = 0,
    since = null,
  } = options;
  const reading = duplicateForBlocking(redis);
  const stopping = new AbortController();
  const { consumer, log } = options;
  const given = { redis, reading, stream, group, consumer, batch, gatherMs, since, log };
  const reader: Reader<T> = {
    ...given,
    // The holder of the turn reads alone; other consumers can't deliver their entries any more.
    claimAfterMs: exclusive ? 0 : claimAfterMs,
    handler,
    stopped: stopping.signal,
  };
  const loop = exclusive
    ? takeTurns(
        { redis, key: `${stream}:turn:${group}`, holder: consumer, stopped: stopping.signal },
        (turn) => run({ ...reader, stopped: turn }),
      )
    : run(reader);
  return {
    async stop() {
      stopping.abort();
      // Ends a blocking read. Acknowledgements use the connection that was given.
      reading.disconnect();
      await loop;
    },
  };
}

interface Reader<T> {
  redis: Redis;
  /** A separate connection, because it blocks. */
  reading: Redis;
  stream: string;
  group: string;
  consumer: string;
  batch: number;
  claimAfterMs: number;
  gatherMs: number;
  since: number | null;
  handler: (items: T[]) => Promise<void>;
  stopped: AbortSignal;
  log: ConsumeOptions['log'];
}

async function run<T>(reader: Reader<T>): Promise<void> {
  let failures = 0;
  while (!reader.stopped.aborted) {
    try {
      await beginGroup(reader.redis, reader);
      await readUntilFault(reader, () => {
        failures = 0;
      });
    } catch (error) {
      if (reader.stopped.aborted) return;
      reader.log?.warn(
        { err: error, group: reader.group },
        'audit events were not taken; trying again',
      );
      await backOff(failures++, reader.stopped);
    }
  }
}

async function readUntilFault<T>(reader: Reader<T>, delivered: () => void): Promise<void> {
  let nextClaim = 0;
  // `0`: pending entries of this consumer; `>`: new entries.
  let from: '0' | '>' = '0';
  while (!reader.stopped.aborted) {
    if (Date.now() >= nextClaim) {
      if (await claimAbandoned(reader)) from = '0';
      nextClaim = Date.now() + Math.max(reader.claimAfterMs / 2, SHORTEST_CLAIM_MS);
    }
    const entries = await gather(reader, from, await read(reader, from));
    // Another process has the turn now and claims what was just read.
    if (reader.stopped.aborted) return;
    if (entries.length > 0) {
      await deliver(reader, entries);
      delivered();
    } else from = '>';
  }
}

/** True when entries of a dead consumer were claimed. */
async function claimAbandoned<T>({
  redis,
  stream,
  group,
  consumer,
  claimAfterMs,
}: Reader<T>): Promise<boolean> {
  let cursor = '0-0';
  let claimed = false;
  do {
    const reply = await redis.xautoclaim(
      stream,
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

async function read<T>(
  { reading, stream, group, consumer, batch }: Reader<T>,
  from: '0' | '>',
): Promise<RawEntry[]> {
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
      stream,
      from,
    ),
  );
}

/** New entries that arrive within the gathering time; pending ones have waited already. */
async function gather<T>(
  reader: Reader<T>,
  from: '0' | '>',
  entries: RawEntry[],
): Promise<RawEntry[]> {
  const { reading, stream, group, consumer, batch, gatherMs, stopped } = reader;
  const room = batch - entries.length;
  if (gatherMs === 0 || from === '0' || entries.length === 0 || room <= 0) return entries;
  await pause(gatherMs, undefined, { signal: stopped }).catch(() => {});
  if (stopped.aborted) return entries;
  const reply = await reading.xreadgroup(
    'GROUP',
    group,
    consumer,
    'COUNT',
    room,
    'STREAMS',
    stream,
    '>',
  );
  return [...entries, ...entriesOf(reply)];
}

async function deliver<T>(reader: Reader<T>, entries: RawEntry[]): Promise<void> {
  const { redis, stream, group, handler } = reader;
  const ids = entries.map(([id]) => id);
  // An entry without fields was trimmed while a group held it.
  const items = entries.flatMap(([, fields]): T[] =>
    fields ? [parseOnce(fields[1] ?? 'null')] : [],
  );
  if (items.length > 0) await hold(reader, ids, () => handler(items));
  await redis.xack(stream, group, ...ids);
}

/** Renewed while the handler runs, so that no other consumer claims the batch. */
async function hold<T>(
  { redis, stream, group, consumer, claimAfterMs }: Reader<T>,
  ids: string[],
  work: () => Promise<void>,
): Promise<void> {
  // The holder of the turn is the only one that claims.
  if (claimAfterMs === 0) return work();
  const timer = setInterval(() => {
    redis.xclaim(stream, group, consumer, 0, ...ids, 'JUSTID').catch(() => {});
  }, claimAfterMs / 3);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

async function backOff(failures: number, stopped: AbortSignal): Promise<void> {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  // Jitter, so that consumers that failed together don't retry together.
  await pause(longest * (0.5 + Math.random() / 2), undefined, { signal: stopped }).catch(() => {});
}
