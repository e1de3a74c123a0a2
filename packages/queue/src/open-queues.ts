import type { Redis } from '@portcullis/runtime';
import { createCancellations } from './cancellations.ts';
import { createConnection, TASK_QUEUES } from './connection.ts';
import type { TrackedConsumer } from './consumer.ts';
import { depths } from './depths.ts';
import type { Consumer, Queues, QueuesOptions } from './port.ts';
import { every, schedule, unschedule } from './recurring.ts';
import { consumeStage, dispatch, waiting } from './stages.ts';
import { consumeTasks, enqueue } from './tasks.ts';

/** On a connection that fails fast (an API) or is patient (a worker); consumers open connections of their own. */
export function openQueues(redis: Redis, { prefix = 'portcullis', log }: QueuesOptions = {}): Queues {
  const connection = createConnection(redis, prefix, (error) =>
    log?.warn({ err: error }, 'a queue met a fault'),
  );
  const cancellations = createCancellations(redis, prefix);

  function watched(consumer: TrackedConsumer): Consumer {
    const forget = cancellations.watch(consumer.tracked);
    return {
      running: consumer.running,
      hold: consumer.hold,
      goOn: consumer.goOn,
      makeRoom: consumer.makeRoom,
      async stop(graceMs) {
        await consumer.stop(graceMs);
        forget();
      },
    };
  }

  return {
    dispatch: (job, options) => dispatch(connection, job, options?.delayMs),
    consume: (stage, handler, { concurrency }) =>
      watched(consumeStage(connection, { stage, handler, concurrency, log })),
    cancel: (jobId) => cancellations.publish(jobId),
    waiting: (stage, most) => waiting(connection, stage, most),
    enqueue: (task, options) => enqueue(connection, task, options?.delayMs),
    consumeTasks: (handlers, { concurrency = 2 } = {}) =>
      together(
        TASK_QUEUES.map((lane) => watched(consumeTasks(connection, { lane, handlers, concurrency, log }))),
      ),
    every: (task, intervalMs) => every(connection, task, intervalMs),
    schedule: (scheduleId, times) => schedule(connection, scheduleId, times),
    unschedule: (scheduleId) => unschedule(connection, scheduleId),
    depths: () => depths(connection),
    async close() {
      cancellations.close();
      await connection.close();
    },
  };
}

function together(consumers: Consumer[]): Consumer {
  return {
    running: () => consumers.reduce((sum, consumer) => sum + consumer.running(), 0),
    async hold() {
      await Promise.all(consumers.map((consumer) => consumer.hold()));
    },
    goOn: () => {
      for (const consumer of consumers) consumer.goOn();
    },
    makeRoom: (jobId) => {
      for (const consumer of consumers) consumer.makeRoom(jobId);
    },
    async stop(graceMs) {
      await Promise.all(consumers.map((consumer) => consumer.stop(graceMs)));
    },
  };
}
