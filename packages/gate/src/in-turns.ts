/**
 * Runs a few works at a time, and one of each group: those of a group that asks for much wait for
 * each other, and not all others for them.
 */
export type InTurns = <T>(group: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  group: string;
  start(): void;
}

/** A work whose signal is aborted while it waits does not start; its reason is thrown. */
export function createTurns(limit: number): InTurns {
  const running = new Set<string>();
  const waiting: Waiting[] = [];

  function next(): void {
    if (running.size >= limit) return;
    const at = waiting.findIndex(({ group }) => !running.has(group));
    const [found] = at < 0 ? [] : waiting.splice(at, 1);
    found?.start();
  }

  function turn(group: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const each: Waiting = {
      group,
      start() {
        signal.removeEventListener('abort', leave);
        running.add(group);
        resolve();
      },
    };
    const leave = () => {
      waiting.splice(waiting.indexOf(each), 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.push(each);
    next();
    return promise;
  }

  return async (group, signal, work) => {
    signal.throwIfAborted();
    await turn(group, signal);
    try {
      return await work();
    } finally {
      running.delete(group);
      next();
    }
  };
}
