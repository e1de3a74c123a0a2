/** The approval by which a blocked image may be pushed now. */
import type { Job } from '@portcullis/contract';
import { isSettled } from '@portcullis/domain';

export type JobReview = NonNullable<Job['reviews']>[number];

/** The newest one whose end has not passed, of the image that the job has now. */
export function approvedReview(
  { reviews, verdict, status }: Pick<Job, 'reviews' | 'verdict' | 'status'>,
  now: number,
): JobReview | null {
  if (verdict !== 'blocked' || !isSettled(status)) return null;
  const standing = reviews?.find(
    ({ state, changed, until }) =>
      state === 'approved' && changed === null && Date.parse(until) > now,
  );
  return standing ?? null;
}
