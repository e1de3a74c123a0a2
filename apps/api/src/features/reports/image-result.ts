/** How an image ended, in the words that answers and reports share. */
import type { TransferImages } from '@portcullis/contract';
import { imageNameOf, isBlocked, isSettled, type JobOutcome, jobOutcome } from '@portcullis/domain';
import { formatImage } from '@portcullis/oci';
import type { TransferredJob } from '@portcullis/store';

type StoppedImage = TransferImages['blocked'][number];

export interface ImageResult {
  /** `registry/repository:tag@digest` */
  name: string;
  repository: string;
  /** `staged`: a job without a transfer, which ends there. */
  outcome: JobOutcome | 'staged';
  /** Why it was not pushed; null where nothing stopped it. */
  code: string | null;
  reason: string | null;
}

export function presentPushed(job: TransferredJob): TransferImages['pushed'][number] {
  return { ...presentImage(job), digest: job.pushes.at(-1)?.digest ?? null };
}

export function presentStopped(job: TransferredJob): StoppedImage {
  const { code, reason } = causeOf(job);
  return { ...presentImage(job), code: code ?? 'VULN_BLOCKED', reason };
}

export function presentImage(job: TransferredJob): Omit<StoppedImage, 'code' | 'reason'> {
  const push = job.pushes.at(-1);
  return {
    job_id: job.id,
    image: imageNameOf(job),
    destination: push ? formatImage(`${push.host}/${push.repository}`, push.tag) : '',
  };
}

export function imageResult(job: TransferredJob): ImageResult {
  return {
    name: imageNameOf(job),
    repository: job.image,
    outcome: jobOutcome(job),
    ...causeOf(job),
  };
}

/** Of a job without a transfer, which needs no push to be done. */
export function stagedResult(job: TransferredJob): ImageResult {
  const result = imageResult(job);
  if (result.outcome !== 'open' || !isSettled(job.status)) return result;
  const hasFailed = job.verdict === 'error';
  return {
    ...result,
    outcome: hasFailed ? 'failed' : 'staged',
    code: hasFailed ? (result.code ?? 'SCAN_FAILED') : null,
  };
}

/** An image that waits for a review is blocked by its verdict, without an error. */
function causeOf(job: TransferredJob): Pick<ImageResult, 'code' | 'reason'> {
  const { code = isBlocked(job) ? 'VULN_BLOCKED' : null, message: reason = null } = job.error ?? {};
  return { code, reason };
}
