/** Counts what waits in the queues. */
import type { QueueConnection } from './connection.ts';
import { QUEUE_KINDS, type QueueKind, type QueueName, queueName, STORED_KINDS } from './names.ts';
import type { QueueDepth } from './port.ts';

const LOOKED_AT = 100;

/** Depth of each kind of queue: the common queue and those of the given storages together. */
export function depths(
  connection: QueueConnection,
  storageIds: readonly string[],
): Promise<QueueDepth[]> {
  return Promise.all(
    QUEUE_KINDS.map(async (kind) => {
      const storages = STORED_KINDS.some((stored) => stored === kind) ? storageIds : [];
      const names = [null, ...storages].map((id) => queueName(kind, id));
      return sum(kind, await Promise.all(names.map((name) => depth(connection, name))));
    }),
  );
}

type Depth = Omit<QueueDepth, 'queue'>;

function sum(queue: QueueKind, depths: readonly Depth[]): QueueDepth {
  const total = (key: 'waiting' | 'delayed' | 'running' | 'failed') =>
    depths.reduce((all, each) => all + each[key], 0);
  const ages = depths.map(({ oldestAgeMs }) => oldestAgeMs).filter((age) => age !== null);
  return {
    queue,
    waiting: total('waiting'),
    delayed: total('delayed'),
    running: total('running'),
    failed: total('failed'),
    oldestAgeMs: ages.length > 0 ? Math.max(...ages) : null,
  };
}

function depth({ use, redis, keyOf }: QueueConnection, name: QueueName): Promise<Depth> {
  return use(name, async (queue) => {
    const [counts, next, failures] = await Promise.all([
      queue.getJobCounts('wait', 'prioritized', 'delayed', 'active'),
      queue.getJobs(['wait', 'prioritized'], 0, LOOKED_AT - 1, true),
      redis.get(keyOf(name)('failures')),
    ]);
    // An entry may end between listing and reading; BullMQ returns a hole then.
    const times = next.filter(Boolean).map(({ timestamp }) => timestamp);
    return {
      waiting: (counts.wait ?? 0) + (counts.prioritized ?? 0),
      delayed: counts.delayed ?? 0,
      running: counts.active ?? 0,
      failed: Number(failures ?? 0),
      oldestAgeMs: times.length > 0 ? Date.now() - Math.min(...times) : null,
    };
  });
}
