/** Waits for jobs and transfers with `?wait=`, and yields each state on the way. */
import type { Job, TransferView } from '@portcullis/contract';
import { isSettled } from '@portcullis/domain';
import type { ApiClient } from './api.ts';

/** While a job moves bytes its status stays the same: a short wait shows the progress. */
const PROGRESS_SECONDS = 2;
const LONG_SECONDS = 50;

export interface WaitingOptions {
  /** Whether the progress between two states is wanted. */
  progress: boolean;
}

/** The last one is settled. */
export async function* awaitJob(
  api: ApiClient,
  id: string,
  options: WaitingOptions,
): AsyncGenerator<Job, Job> {
  for (let seconds = 0; ; seconds = secondsOf(options)) {
    const job = await api.call('staging.getJob', {
      params: { job_id: id },
      query: { wait: seconds },
    });
    yield job;
    if (isSettled(job.status)) return job;
  }
}

/** The last one is not `running`. */
export async function* awaitTransfer(
  api: ApiClient,
  id: string,
  options: WaitingOptions,
): AsyncGenerator<TransferView, TransferView> {
  for (let seconds = 0; ; seconds = secondsOf(options)) {
    const transfer = await api.call('transfers.getTransfer', {
      params: { id },
      query: { limit: 1, wait: seconds },
    });
    yield transfer;
    if (transfer.status !== 'running') return transfer;
  }
}

function secondsOf({ progress }: WaitingOptions): number {
  return progress ? PROGRESS_SECONDS : LONG_SECONDS;
}
