/** The images of a transfer by outcome, as many as an answer holds. */
import type { TransferImages } from '@portcullis/contract';
import { formatPinnedImage, pinnedImageOf } from '@portcullis/domain';
import { formatImage } from '@portcullis/oci';
import type { Store, Transfer, TransferredJob } from '@portcullis/store';

const MOST = 200;

type Jobs = Pick<Store['transfers'], 'jobs'>;
type Listed = 'pushed' | 'blocked' | 'failed';

export async function imagesOf({ id }: Transfer, { jobs }: Jobs): Promise<TransferImages> {
  const read = (outcome: Listed) => jobs(id, { outcome, limit: MOST + 1 });
  const [pushed, blocked, failed] = await Promise.all([
    read('pushed'),
    read('blocked'),
    read('failed'),
  ]);
  return {
    pushed: pushed.slice(0, MOST).map(presentPushed),
    blocked: blocked.slice(0, MOST).map(presentStopped),
    failed: failed.slice(0, MOST).map(presentStopped),
    more: [pushed, blocked, failed].some(({ length }) => length > MOST),
  };
}

function presentPushed(job: TransferredJob): TransferImages['pushed'][number] {
  return { ...transferredImage(job), digest: job.pushes.at(-1)?.digest ?? null };
}

/** An image that waits for a review is blocked by its verdict, without an error. */
function presentStopped(job: TransferredJob): TransferImages['blocked'][number] {
  const { code = 'VULN_BLOCKED', message: reason = null } = job.error ?? {};
  return { ...transferredImage(job), code, reason };
}

function transferredImage(job: TransferredJob) {
  const push = job.pushes.at(-1);
  return {
    job_id: job.id,
    image: nameOf(job),
    destination: push ? formatImage(`${push.host}/${push.repository}`, push.tag) : '',
  };
}

function nameOf(job: Pick<TransferredJob, 'image' | 'tag' | 'source' | 'digest'>): string {
  const pinned = pinnedImageOf(job);
  return pinned
    ? formatPinnedImage(pinned)
    : formatImage(`${job.source.host}/${job.image}`, job.tag);
}
