import type { Redis } from '@portcullis/runtime';
import { createCancellations } from './cancellations.ts';
import { createConnection } from './connection.ts';
import type { TrackedConsumer } from './consumer.ts';
import { depths } from './depths.ts';
import { consumeMaintenance, inTraceOf, wake } from './maintenance.ts';
import { queueName, STORED_KINDS, TASK_QUEUES } from './names.ts';
import type { Consumer, Queues, QueuesOptions } from './port.ts';
import { every, schedule, unschedule } from './recurring.ts';
import { consumeStage, dispatch, waiting } from './stages.ts';
import { consumeTasks, enqueue } from './tasks.ts';

/**
 * Opens the queues on a connection that fails fast (api) or retries (worker). Consumers open
 * further connections.
 */
export function openQueues(
  redis: Redis,
  { prefix = 'portcullis', log }: QueuesOptions = {},
): Queues {
  const connection = createConnection(redis, prefix, (error) =>
    log?.warn({ err: error }, 'a queue met a fault'),
  );
  const cancellations = createCancellations(redis, prefix);

  function watch(consumer: TrackedConsumer): Consumer {
    const forget = cancellations.watch(consumer.tracked);
    return {
      running: consumer.running,
      pause: consumer.pause,
      resume: consumer.resume,
      preempt: consumer.preempt,
      async stop(graceMs) {
        await consumer.stop(graceMs);
        forget();
      },
    };
  }

  return {
    dispatch: (job, options) => dispatch(connection, job, options?.delayMs),
    consume: (queue, handler, { concurrency }) =>
      watch(consumeStage(connection, { queue, handler, concurrency, log })),
    cancel: (jobId) => cancellations.publish(jobId),
    waiting: (queue, most) => waiting(connection, queue, most),
    enqueue: (task, options) => enqueue(connection, task, options),
    consumeTasks(handlers, { concurrency = 2, storageId = null } = {}) {
      const storageIds = storageId === null ? [null] : [null, storageId];
      const lanes = TASK_QUEUES.flatMap((lane) =>
        storageIds.map((place) => ({ lane, storageId: place })),
      );
      return together(
        lanes.map((each) =>
          watch(consumeTasks(connection, { ...each, handlers, concurrency, log })),
        ),
      );
    },
    wake: (due, options) => wake(connection, due, options?.delayMs),
    inTraceOf: (row, work) => inTraceOf(connection, row, work),
    consumeMaintenance: (kind, handler) =>
      watch(consumeMaintenance(connection, { kind, handler, log })),
    every: (task, intervalMs, { storageId = null } = {}) =>
      every(connection, task, { intervalMs, storageId }),
    schedule: (scheduleId, times) => schedule(connection, scheduleId, times),
    unschedule: (scheduleId) => unschedule(connection, scheduleId),
    depths: (storageIds = []) => depths(connection, storageIds),
    async forget(storageId) {
      for (const kind of STORED_KINDS) await connection.drop(queueName(kind, storageId));
    },
    async close() {
      cancellations.close();
      await connection.close();
    },
  };
}

function together(consumers: Consumer[]): Consumer {
  return {
    running: () => consumers.reduce((sum, consumer) => sum + consumer.running(), 0),
    async pause() {
      await Promise.all(consumers.map((consumer) => consumer.pause()));
    },
    resume: () => {
      for (const consumer of consumers) consumer.resume();
    },
    preempt: (jobId) => {
      for (const consumer of consumers) consumer.preempt(jobId);
    },
    async stop(graceMs) {
      await Promise.all(consumers.map((consumer) => consumer.stop(graceMs)));
    },
  };
}
