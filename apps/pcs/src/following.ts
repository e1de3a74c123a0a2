/** Waits for a job, a transfer or a review request, and shows its progress. */
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiClient, awaitJob, awaitTransfer } from '@portcullis/client';
import type { Job, Review, TransferView } from '@portcullis/contract';
import type { ProgressLine } from './progress.ts';

/** Until it is settled. */
export async function followJob(api: ApiClient, id: string, progress: ProgressLine): Promise<Job> {
  let last: Job | undefined;
  for await (const job of awaitJob(api, id, { progress: progress.live })) {
    last = job;
    const { bytes_done: done, bytes_total: total, rate } = job.progress;
    progress.show({ step: `${job.image}:${job.tag} ${stepOf(job)}`, done, total, rate });
  }
  progress.clear();
  return assertKnown(last);
}

const STEPS: Record<Job['status'], string> = {
  pull_queued: 'waits for a worker',
  pulling: 'is being pulled',
  scan_queued: 'waits for the scan',
  scanning: 'is being scanned',
  staged: 'is staged',
  push_queued: 'waits for the push',
  pushing: 'is being pushed',
  pushed: 'is pushed',
  failed: 'has failed',
  cancelled: 'was cancelled',
};

function stepOf({ status }: Job): string {
  return STEPS[status];
}

/** Until it has ended. */
export async function followTransfer(
  api: ApiClient,
  id: string,
  progress: ProgressLine,
): Promise<TransferView> {
  let last: TransferView | undefined;
  let [bytes, at] = [0, Date.now()];
  for await (const transfer of awaitTransfer(api, id, { progress: progress.live })) {
    last = transfer;
    const { done, total } = transfer.bytes;
    const now = Date.now();
    const rate = now > at ? ((done - bytes) * 1000) / (now - at) : null;
    [bytes, at] = [done, now];
    progress.show({ step: outcomesText(transfer), done, total, rate });
  }
  progress.clear();
  return assertKnown(last);
}

/** How often the state of a review request is read; people decide in minutes. */
const REVIEW_POLL_MS = 5_000;

/** Until it is decided or has ended, and the push that follows is requested or refused. */
export async function followReview(
  api: ApiClient,
  number: number,
  progress: ProgressLine,
): Promise<Review> {
  for (;;) {
    const review = await api.call('reviews.get', { params: { number } });
    if (review.state !== 'open' && review.push?.state !== 'due') {
      progress.clear();
      return review;
    }
    progress.show({ step: `#${number} waits for a decision`, done: 0, total: 0, rate: null });
    await pause(REVIEW_POLL_MS);
  }
}

export function outcomesText({ outcomes }: Pick<TransferView, 'outcomes'>): string {
  const parts = (['pushed', 'blocked', 'failed', 'cancelled', 'open'] as const).flatMap((name) =>
    outcomes[name] > 0 ? [`${outcomes[name]} ${name}`] : [],
  );
  return parts.join(', ') || 'no images';
}

function assertKnown<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the wait yielded nothing');
  return value;
}
