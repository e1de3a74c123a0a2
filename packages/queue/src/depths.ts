import { QUEUE_NAMES, type QueueConnection, type QueueName } from './connection.ts';
import type { QueueDepth } from './port.ts';

const LOOKED_AT = 100;

export function depths(connection: QueueConnection): Promise<QueueDepth[]> {
  return Promise.all(QUEUE_NAMES.map((name) => depth(connection, name)));
}

function depth({ use, redis, keyOf }: QueueConnection, name: QueueName): Promise<QueueDepth> {
  return use(name, async (queue) => {
    const [counts, next, failures] = await Promise.all([
      queue.getJobCounts('wait', 'prioritized', 'delayed', 'active'),
      queue.getJobs(['wait', 'prioritized'], 0, LOOKED_AT - 1, true),
      redis.get(keyOf(name)('failures')),
    ]);
    // An entry may end between the listing and its reading; BullMQ leaves a hole then.
    const times = next.filter(Boolean).map(({ timestamp }) => timestamp);
    return {
      queue: name,
      waiting: (counts.wait ?? 0) + (counts.prioritized ?? 0),
      delayed: counts.delayed ?? 0,
      running: counts.active ?? 0,
      failed: Number(failures ?? 0),
      oldestAgeMs: times.length > 0 ? Date.now() - Math.min(...times) : null,
    };
  });
}
