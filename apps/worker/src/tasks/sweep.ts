/** The queue can be lost, the rows can't: dispatches again what a crash left behind. */
import type { Queues } from '@portcullis/queue';
import type { Logger } from '@portcullis/runtime';
import type { Jobs } from '@portcullis/store';

export interface SweepPorts {
  stale: Jobs['stale'];
  dispatch: Queues['dispatch'];
  log: Pick<Logger, 'info'>;
  olderThanMs: number;
}

export async function sweep({ stale, dispatch, log, olderThanMs }: SweepPorts): Promise<void> {
  for (const job of await stale({ olderThanMs })) {
    log.info({ job: job.id, status: job.status }, 'dispatched again');
    await dispatch(job);
  }
}
