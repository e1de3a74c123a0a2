/**
 * Writes audit events. An event of a change is committed with it to the outbox and published from
 * there. An event without a change goes to the stream at once, and to the outbox while the stream
 * can't be reached. Every process publishes the outbox, one at a time in the installation.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditEvent } from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import type { Logger, Part, Redis } from '@portcullis/runtime';
import { appendOnce, streamName } from './outbox-stream.ts';
import { createPublisher } from './publisher.ts';
import { systemEvent } from './system-event.ts';

/** The outbox of the store. */
interface OutboxRows {
  put(events: readonly AuditEvent[]): Promise<void>;
  publish(send: (events: AuditEvent[]) => Promise<string>, limit: number): Promise<number>;
  republish(stream: string): Promise<number>;
  waiting(): Promise<{ count: number; oldestAgeMs: number | null }>;
}

export interface AuditLogPorts {
  redis: Redis;
  outbox: OutboxRows;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /**
   * Limit of events without a change that this process stores while the stream can't be reached.
   */
  maxStored?: number;
}

export interface AuditLog extends Part {
  /**
   * Records an event without a change. It is durable when the promise resolves; if neither Redis
   * nor the database can be reached, it is logged.
   */
  tell(event: AuditEvent): Promise<void>;
  /**
   * Call after an event was committed. Resolves when it is on the stream, or after a short time; it
   * is durable in both cases.
   */
  flush(): Promise<void>;
  /**
   * Call after an event was committed, to publish it within a second together with others. Does
   * not wait for that; the event is durable already.
   */
  flushSoon(): void;
  /**
   * Completes a scope; its event is durable when the promise resolves. Null: no event. Never
   * throws.
   */
  end(scope: Ending, event: AuditEvent | null): Promise<void>;
}

/** The part of the store's `AuditScope` that completes it. */
interface Ending {
  /** False where no row was committed: the event is then published without one. */
  end(event: AuditEvent | null): Promise<boolean>;
}

const BATCH = 100;
const POLL_MS = 1_000;
/** Responses are not delayed longer: the event is durable in the outbox. */
const PUBLISH_WAIT_MS = 500;
const SEND_MS = 3_000;
/** Delay of `flushSoon`, in which more events are committed. */
const GATHER_MS = 100;
const MAX_STORED = 10_000;

export function createAuditLog({
  redis,
  outbox,
  log,
  maxStored = MAX_STORED,
}: AuditLogPorts): AuditLog {
  const publish = createPublisher(redis);
  let stream: string | null = null;
  /** After a fallback, events use the outbox until it is published, so that the order holds. */
  let behind = false;
  let kept = 0;
  let dropped = 0;
  let complained = false;
  let running: Promise<void> | null = null;
  let following: Promise<void> | null = null;
  let gathering: NodeJS.Timeout | null = null;

  const reachable = () => redis.status === 'ready';

  /** Concurrent callers share one round, which begins after each of their commits. */
  function round(): Promise<void> {
    following ??= (running ?? Promise.resolve()).then(() => {
      running = following;
      following = null;
      return publishAll().finally(() => {
        running = null;
      });
    });
    return following;
  }

  async function publishAll(): Promise<void> {
    if (!reachable()) {
      behind = true;
      return;
    }
    try {
      while ((await outbox.publish(send, BATCH)) === BATCH);
      await publishPending();
    } catch (err) {
      warnOnce(err, 'audit events wait in the database to be published; trying again');
    }
  }

  /** Logged once for each lasting fault. */
  function warnOnce(err: unknown, message: string): void {
    if (!complained) log.warn({ err }, message);
    complained = true;
  }

  async function publishPending(): Promise<void> {
    behind = false;
    complained = false;
    kept = 0;
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    await tell(droppedEvent(count));
  }

  /** A connection that waits for Redis must not hold a transaction open. */
  async function send(events: AuditEvent[]): Promise<string> {
    const late = new AbortController();
    try {
      return await Promise.race([appendOnce(redis, events), tooLate(late.signal)]);
    } catch (error) {
      behind = true;
      throw error;
    } finally {
      late.abort();
    }
  }

  async function tell(event: AuditEvent): Promise<void> {
    if (!behind && (await sendEvent(event))) return;
    if (await storeEvent(event)) return;
    // The database can't be reached: out of order is better than lost.
    if (await sendEvent(event)) return;
    dropped++;
    log.error({ audit: event }, 'an audit event could not be published');
  }

  function sendEvent(event: AuditEvent): Promise<boolean> {
    return reachable() ? succeeds(publish(event)) : Promise.resolve(false);
  }

  async function storeEvent(event: AuditEvent): Promise<boolean> {
    if (kept >= maxStored || !(await succeeds(outbox.put([event])))) return false;
    kept++;
    behind = true;
    if (reachable()) void round();
    return true;
  }

  async function end(scope: Ending, event: AuditEvent | null): Promise<void> {
    try {
      if (await scope.end(event)) return await flush();
      if (event !== null) await tell(event);
    } catch (err) {
      // The change was committed with a draft, which is published later unless this event replaces
      // it now.
      if (event === null || (await succeeds(appendOnce(redis, [event])))) return;
      log.error(
        { err, audit: event },
        'the end of a request could not be added to its audit event',
      );
    }
  }

  async function flush(): Promise<void> {
    await Promise.race([round(), pause(PUBLISH_WAIT_MS, undefined, { ref: false })]);
  }

  function flushSoon(): void {
    gathering ??= setTimeout(() => {
      gathering = null;
      void round();
    }, GATHER_MS).unref();
  }

  async function poll(): Promise<void> {
    if (!reachable()) {
      behind = true;
      return;
    }
    try {
      await sameStream();
      const { count } = await outbox.waiting();
      if (count > 0 || behind) await round();
    } catch (err) {
      warnOnce(err, 'the outbox of audit events could not be read; trying again');
    }
  }

  async function sameStream(): Promise<void> {
    const name = await streamName(redis);
    if (name === stream) return;
    const again = await outbox.republish(name);
    if (again > 0) log.warn({ events: again }, 'the audit stream lost its data; publishing again');
    stream = name;
  }

  async function loop(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      await poll();
      await pause(POLL_MS, undefined, { signal: stopped, ref: false }).catch(() => {});
    }
  }

  const stopping = new AbortController();
  let looping: Promise<void> = Promise.resolve();
  return {
    tell,
    flush,
    flushSoon,
    end,
    start() {
      looping = loop(stopping.signal);
    },
    async stop() {
      stopping.abort();
      if (gathering !== null) clearTimeout(gathering);
      await looping;
      if (reachable()) await round();
    },
  };
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await pause(SEND_MS, undefined, { signal, ref: false }).catch(() => {});
  throw unavailable('EVENTS_UNAVAILABLE', 'redis did not answer in time');
}

function droppedEvent(count: number): AuditEvent {
  return systemEvent({
    event: 'audit.dropped',
    outcome: 'failure',
    actor: { id: null, name: 'audit log' },
    action: 'publish',
    resource: null,
    detail: {
      events: count,
      why: 'neither Redis nor the database could take them; they are in the log',
    },
  });
}
