/**
 * One blocking reader of a stream for all subscribers of a connection; it runs while there are any.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { duplicateForBlocking, type Redis, withRedis } from '@portcullis/runtime';
import { createInbox, type Inbox } from './inbox.ts';

export interface Feed<T> {
  /** Entries from now on. @throws unavailable */
  join(signal: AbortSignal): Promise<Inbox<T> & Disposable>;
}

const BLOCK_MS = 5_000;
const BATCH = 500;
const PAUSE_MS = 500;

interface Reading<T> {
  inboxes: Set<Inbox<T>>;
  connection: Redis;
  /** Resolved once the start position is known. */
  begun: Promise<void>;
}

export function openFeed<T extends { id: string }>(
  redis: Redis,
  stream: string,
  parse: (reply: unknown) => T[],
): Feed<T> {
  let reading: Reading<T> | null = null;

  function begin(): Reading<T> {
    const connection = duplicateForBlocking(redis);
    const inboxes = new Set<Inbox<T>>();
    const start = withRedis('EVENTS_UNAVAILABLE', () =>
      redis.xrevrange(stream, '+', '-', 'COUNT', 1),
    );
    const begun = start.then(([last]) => {
      void read({ connection, inboxes, stream, parse }, last?.[0] ?? '0-0');
    });
    return { inboxes, connection, begun };
  }

  function leave(left: Reading<T>, inbox: Inbox<T>): void {
    left.inboxes.delete(inbox);
    if (left.inboxes.size > 0) return;
    left.connection.disconnect();
    if (reading === left) reading = null;
  }

  return {
    async join(signal) {
      reading ??= begin();
      const joined = reading;
      const inbox = createInbox<T>(signal);
      joined.inboxes.add(inbox);
      try {
        await joined.begun;
      } catch (error) {
        leave(joined, inbox);
        throw error;
      }
      return { ...inbox, [Symbol.dispose]: () => leave(joined, inbox) };
    },
  };
}

interface Source<T> {
  connection: Redis;
  inboxes: Set<Inbox<T>>;
  stream: string;
  parse: (reply: unknown) => T[];
}

async function read<T extends { id: string }>(source: Source<T>, from: string): Promise<void> {
  const { connection, inboxes, stream, parse } = source;
  let last = from;
  while (inboxes.size > 0) {
    try {
      const items = parse(
        await connection.xread('COUNT', BATCH, 'BLOCK', BLOCK_MS, 'STREAMS', stream, last),
      );
      for (const item of items) {
        for (const inbox of inboxes) inbox.put(item);
        last = item.id;
      }
    } catch {
      // Disconnected because the last subscriber left, or by a fault that the next read reports.
      if (inboxes.size > 0) await pause(PAUSE_MS);
    }
  }
}
