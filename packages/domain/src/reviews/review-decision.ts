/** What becomes of a review request. */
import type { Principal } from '../access/principal.ts';
import { LOCAL_REGISTRY_ID } from '../location/location.ts';
import type { AskedFor, Review, ReviewClosing, ReviewPush, ReviewState } from './review.ts';

const DAY_MS = 86_400_000;

type Person = Pick<Principal, 'id' | 'username'>;

/** The state now: a request ends by itself, whether or not its end was recorded. */
export function reviewStateAt(
  { state, endsAt }: Pick<Review, 'state' | 'endsAt'>,
  now: Date,
): ReviewState {
  return state === 'open' && endsAt <= now ? 'expired' : state;
}

/**
 * When an open request expires: after these days, and not after the end that it asks for. What asks
 * for nothing but an age needs no decision any more once the image has it.
 */
export function endOfReview(
  now: Date,
  days: number,
  { until, age, signatures, findings }: Pick<Review, 'until' | 'age'> & AskedFor,
): Date {
  const ends = [now.getTime() + days * DAY_MS, until.getTime()];
  if (age && !signatures && findings.length === 0) ends.push(age.waitsUntil.getTime());
  return new Date(Math.min(...ends));
}

/** Whether an approval may set this end: it is never later than the one that was asked for. */
export function mayEndAt({ until }: Pick<Review, 'until'>, end: Date, now: Date): boolean {
  return end > now && end <= until;
}

interface Approving {
  /** Vulnerabilities that are not approved. */
  except: readonly string[];
  /** A sooner end than was asked for; null: that one. */
  until: Date | null;
  comment: string | null;
  /** How many accounts have to approve. */
  needed: number;
  now: Date;
}

/**
 * Adds an approval, in place of an earlier one of the same account. With as many as are needed, the
 * request is closed: what all of them approve is approved, until the soonest of their ends. An
 * approval whose own end has passed counts no more.
 */
export function withReviewApproval(
  review: Review,
  { id: accountId, username }: Person,
  { except, until, comment, needed, now }: Approving,
): Review {
  const others = review.approvals.filter(
    (each) => each.accountId !== accountId && (each.until === null || each.until > now),
  );
  const own = { accountId, username, at: now, except: [...except], until, comment };
  const approvals = [...others, own];
  if (approvals.length < needed) return { ...review, approvals };
  const refused = new Set(approvals.flatMap((each) => each.except));
  const approved = review.vulnerabilities.filter((id) => !refused.has(id));
  const state = stateOfApproved(approved.length, review.vulnerabilities.length);
  const closed = { accountId, username, at: now, comment };
  const push = pushAfter(review.push, state === 'rejected' ? 'dropped' : 'due');
  const ends = [review.until, ...approvals.flatMap((each) => each.until ?? [])];
  const soonest = new Date(Math.min(...ends.map(Number)));
  return { ...review, approvals, approved, state, closed, push, until: soonest };
}

function stateOfApproved(approved: number, all: number): ReviewState {
  if (approved === 0) return 'rejected';
  return approved === all ? 'approved' : 'partly_approved';
}

export function rejectedReview(
  review: Review,
  { id: accountId, username }: Person,
  { comment, now }: { comment: string | null; now: Date },
): Review {
  return ended(review, 'rejected', { accountId, username, at: now, comment });
}

export function withdrawnReview(
  review: Review,
  { id: accountId, username }: Person,
  { comment, now }: { comment: string | null; now: Date },
): Review {
  return ended(review, 'withdrawn', { accountId, username, at: now, comment });
}

function ended(review: Review, state: ReviewState, closed: ReviewClosing): Review {
  return { ...review, state, closed, push: pushAfter(review.push, 'dropped') };
}

function pushAfter(push: ReviewPush | null, state: 'due' | 'dropped'): ReviewPush | null {
  return push && { state, code: null };
}

/** What no longer holds of what was asked; null where all of it does. */
export const REVIEW_CHANGES = ['job_removed', 'image_changed'] as const;
export type ReviewChange = (typeof REVIEW_CHANGES)[number];

/**
 * An image of the built-in registry is there without a job.
 *
 * @param digest of the image that the job has now; null where the job was removed
 */
export function reviewChange(
  { image, jobId }: Pick<Review, 'image' | 'jobId'>,
  digest: string | null,
): ReviewChange | null {
  if (jobId === null) return image.registryId === LOCAL_REGISTRY_ID ? null : 'job_removed';
  return digest === image.digest ? null : 'image_changed';
}
