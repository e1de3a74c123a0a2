/** `?wait=`: answers once the status of a job or transfer changed, is final, or after the time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Principal } from '@portcullis/domain';
import { unauthenticated } from '@portcullis/errors';
import { openNews, type ProgressEvent } from '@portcullis/events';
import type { EventPorts } from './events-stream.ts';

export type WaitPorts = Pick<EventPorts, 'subscribe' | 'current' | 'streams' | 'stopping'>;

export interface Waiting<T> {
  /** 0: no wait. */
  seconds: number;
  principal: Principal;
  /** Aborted when the client leaves, also where it left before. */
  signal: AbortSignal;
  /** With the rights that the account has then. */
  read(principal: Principal): Promise<T>;
  statusOf(value: T): string;
  isFinal(value: T): boolean;
  /** Whether the event may have changed the value that was read first. */
  concerns(event: ProgressEvent, first: T): boolean;
}

/** Events may be lost, and a change may come between the first look and the subscription. */
const LOOK_MS = 2_000;
/** A large transfer changes many times a second. */
const GAP_MS = 250;

/** @throws what `read` throws; rate_limited `STREAMS_MANY`; unauthenticated `TOKEN_INVALID` */
export async function whenChanged<T>(waiting: Waiting<T>, ports: WaitPorts): Promise<T> {
  const { seconds, principal, signal, read, statusOf, isFinal } = waiting;
  const first = await read(principal);
  if (seconds === 0 || isFinal(first)) return first;
  const leave = ports.streams.take(principal.id);
  const ended = new AbortController();
  const over = AbortSignal.any([
    ended.signal,
    signal,
    ports.stopping,
    AbortSignal.timeout(seconds * 1_000),
  ]);
  const news = openNews(ports.subscribe, (event) => waiting.concerns(event, first), over);
  try {
    for (;;) {
      await Promise.race([news.next(), pause(LOOK_MS, over)]);
      const reader = await ports.current(principal);
      if (!reader)
        throw unauthenticated('TOKEN_INVALID', 'The session, token or account has ended.');
      const now = await read(reader);
      if (over.aborted || statusOf(now) !== statusOf(first)) return now;
      await pause(GAP_MS, over);
    }
  } finally {
    ended.abort();
    leave();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {});
}
