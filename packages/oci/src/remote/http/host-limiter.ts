/**
 * How many requests a host gets from us at once. A host has a limit each for reading blobs, uploading them, and
 * everything small: an upload reads its bytes from a blob, and both ask for tokens, so that one shared limit could
 * fill up with holders that wait for each other.
 */
export type RequestClass = 'read' | 'write' | 'control';

interface Queue {
  running: number;
  waiting: (() => void)[];
}

export class HostLimiter {
  readonly #limit: number;
  readonly #queues = new Map<string, Queue>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits for a free place; the answer gives it back, and may be called more than once. */
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

  /** The place goes straight to the next in line, so that `running` never passes the limit. */
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
