/**
 * Limits concurrent requests per host, separately for blob downloads, uploads and small requests.
 * An upload reads from a download and both request tokens, so a shared limit could deadlock.
 * `p-limit` does not fit: a slot is held until the response body has been read, not until a
 * function returns.
 */
export type RequestClass = 'read' | 'write' | 'control';

export interface Limiter {
  /** Waits for a free slot. The returned function releases it and may be called more than once. */
  enter(
    requestClass: RequestClass,
    host: string,
    signal: AbortSignal | undefined,
  ): Promise<() => void>;
}

interface Queue {
  running: number;
  waiting: (() => void)[];
}

export class HostLimiter implements Limiter {
  readonly #limit: number;
  readonly #queues = new Map<string, Queue>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  async enter(
    requestClass: RequestClass,
    host: string,
    signal: AbortSignal | undefined,
  ): Promise<() => void> {
    signal?.throwIfAborted();
    const key = `${requestClass} ${host}`;
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (queue.running >= this.#limit) await waitIn(queue, signal);
    else queue.running += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave(key, queue);
    };
  }

  /** Hands the slot to the next waiting request, so that `running` never exceeds the limit. */
  #leave(key: string, queue: Queue): void {
    const next = queue.waiting.shift();
    if (next) next();
    else queue.running -= 1;
    if (queue.running === 0) this.#queues.delete(key);
  }
}

function waitIn(queue: Queue, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      queue.waiting = queue.waiting.filter((each) => each !== enter);
      reject(signal?.reason);
    };
    const enter = () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    queue.waiting.push(enter);
  });
}
