/** The images of a transfer by outcome, as many as an answer holds. */
import type { TransferImages } from '@portcullis/contract';
import type { Store, Transfer } from '@portcullis/store';
import { presentPushed, presentStopped } from '../reports/image-result.ts';

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
