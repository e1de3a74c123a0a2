/** Enqueues jobs in bulk. Failures are safe: the sweeper re-enqueues from the database. */
import { isAppError } from '@portcullis/errors';
import type { Queues } from '@portcullis/queue';
import type { Logger } from '@portcullis/runtime';
import type { JobRef } from '@portcullis/store';

export interface DispatcherPorts {
  queues: Pick<Queues, 'dispatch'>;
  log: Pick<Logger, 'warn'>;
}

/** In parallel: a request does not wait for a thousand round trips in a row. */
const BATCH = 50;

export function createDispatcher({ queues, log }: DispatcherPorts) {
  function dispatchAll(jobs: readonly JobRef[]): Promise<void> {
    return bestEffort(async () => {
      for (let from = 0; from < jobs.length; from += BATCH)
        await Promise.all(jobs.slice(from, from + BATCH).map((job) => queues.dispatch(job)));
    });
  }

  async function bestEffort(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isAppError(error)) throw error;
      log.warn(
        { err: error },
        'could not enqueue; the sweeper will enqueue the job from the database',
      );
    }
  }

  return { dispatchAll, bestEffort };
}
