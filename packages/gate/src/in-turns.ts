/**
 * Runs a few works at a time, and one of each group, in the order in which groups were served last:
 * those of a group that asks for much wait for each other, and not all others for them.
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
  /** The number of the latest turn of each group. */
  const served = new Map<string, number>();
  let turns = 0;

  function next(): void {
    if (running.size >= limit) return;
    const servedAt = ({ group }: Waiting) => served.get(group) ?? 0;
    const [found] = waiting
      .filter(({ group }) => !running.has(group))
      .toSorted((one, other) => servedAt(one) - servedAt(other));
    if (!found) return;
    waiting.splice(waiting.indexOf(found), 1);
    served.set(found.group, ++turns);
    found.start();
  }

  /** Groups without a work are as those that were never served. */
  function forget(group: string): void {
    if (running.has(group) || waiting.some((each) => each.group === group)) return;
    served.delete(group);
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
      forget(group);
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
      forget(group);
      next();
    }
  };
}
