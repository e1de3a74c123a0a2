/** Asking for a review, deciding about it, and what accounts see of it. */
import {
  assertAllowed,
  endOfReview,
  type JobDestination,
  mayCommentReview,
  mayDecideReview,
  mayEndAt,
  mayReviewWaivers,
  maySeeReview,
  mayWithdrawReview,
  type Principal,
  rejectedReview,
  reviewStateAt,
  reviewViewer,
  scopesOfReview,
  withdrawnReview,
  withReviewApproval,
} from '@portcullis/domain';
import { conflict, isAppError, notFound } from '@portcullis/errors';
import { assertAuthorMay, validApprovals } from '@portcullis/gate';
import type {
  DetailedReview,
  LeftWaiver,
  Page,
  ReviewComment,
  ReviewFilter,
  Store,
  StoredReview,
} from '@portcullis/store';
import { fieldInvalid } from '../../http/problem.ts';
import { type AskedPorts, askedReview, type ReviewOrder } from './asked.ts';
import type { ReviewPushes } from './pushes.ts';

const DAY_MS = 86_400_000;

export interface ReviewsPorts {
  store: Pick<Store, 'reviews' | 'users' | 'folders' | 'mirrors'>;
  asking: AskedPorts;
  pushes: Pick<ReviewPushes, 'settle'>;
  /** A job of that account without a destination is for this one from now on. */
  aim(jobId: string, ownerId: string, destination: JobDestination): Promise<void>;
  /** How many different accounts have to approve. */
  approvalsNeeded: number;
  /** Days after which an open request expires. */
  expiryDays: number;
  /** Call after a change: processes judge images again. */
  changed(): Promise<void>;
  now(): Date;
}

export interface ReviewQuery
  extends Pick<ReviewFilter, 'state' | 'folder' | 'q' | 'limit' | 'cursor'> {
  /** Only what the caller requested. */
  mine?: boolean | undefined;
  /** Only what the caller approved or rejected. */
  decided?: boolean | undefined;
  /** Only what waits for the decision of the caller. */
  toDecide?: boolean | undefined;
}

export interface ReviewDecision {
  decision: 'approve' | 'reject';
  except: readonly string[];
  /** A sooner end than was asked for; null: that one. */
  until: Date | null;
  comment: string | null;
}

export function createReviewsService(ports: ReviewsPorts) {
  const { store, now, approvalsNeeded, pushes } = ports;
  const { reviews } = store;

  async function list(
    principal: Principal,
    { mine = false, decided = false, toDecide = false, ...filter }: ReviewQuery,
  ): Promise<Page<StoredReview>> {
    if (toDecide && !mayReviewWaivers(principal).allowed)
      return { items: [], total: 0, nextCursor: null };
    return reviews.list(
      {
        ...filter,
        requestedById: mine ? principal.id : undefined,
        decidedBy: decided ? principal.id : undefined,
        reviewableBy: toDecide ? principal.id : undefined,
        visibleTo: reviewViewer(principal),
      },
      now(),
    );
  }

  async function count(principal: Principal): Promise<{ toDecide: number; own: number }> {
    const visibleTo = reviewViewer(principal);
    const at = now();
    const [toDecide, own] = await Promise.all([
      mayReviewWaivers(principal).allowed
        ? reviews.count({ reviewableBy: principal.id, visibleTo }, at)
        : 0,
      reviews.count({ requestedById: principal.id, state: 'open' }, at),
    ]);
    return { toDecide, own };
  }

  /** @throws not_found `REVIEW_UNKNOWN` also where the account may not see it */
  async function visible(principal: Principal, number: number): Promise<DetailedReview> {
    const review = await reviews.find(number);
    if (!review || !maySeeReview(principal, review))
      throw notFound('REVIEW_UNKNOWN', 'There is no review request with this number.');
    return review;
  }

  async function request(principal: Principal, order: ReviewOrder): Promise<DetailedReview> {
    const asked = await askedReview(principal, order, ports.asking);
    const at = now();
    const endsAt = endOfReview(at, ports.expiryDays, asked);
    try {
      const review = await reviews.insertReview({ ...asked, endsAt }, at);
      if (asked.jobId !== null) await ports.aim(asked.jobId, principal.id, asked.destination);
      return review;
    } catch (error) {
      // The folder was deleted meanwhile.
      if (!isAppError(error) || error.code !== 'FOLDER_UNKNOWN') throw error;
      const folder = asked.destination.folder ?? '';
      throw fieldInvalid('folder', 'FOLDER_UNKNOWN', 'There is no such folder.', { folder });
    }
  }

  async function decide(
    principal: Principal,
    number: number,
    given: ReviewDecision,
  ): Promise<StoredReview> {
    const review = await visible(principal, number);
    assertAllowed(mayDecideReview(principal, review));
    assertOpen(review, now());
    assertExcept(review, given);
    assertSooner(review, given, now());
    const { comment } = given;
    if (given.decision === 'reject')
      await reviews.save({
        ...review,
        ...rejectedReview(review, principal, { comment, now: now() }),
      });
    else await approve(principal, review, given);
    return reviews.get(number);
  }

  async function approve(
    principal: Principal,
    review: DetailedReview,
    { except, until, comment }: ReviewDecision,
  ): Promise<void> {
    const { requestedById, destination, findings, number } = review;
    await assertAuthorMay(store, { requestedById, folder: destination.folder });
    const before = { ...review, approvals: await validApprovals(store, review.approvals) };
    const order = { except, until, comment, needed: approvalsNeeded, now: now() };
    const after = { ...review, ...withReviewApproval(before, principal, order) };
    const left: LeftWaiver[] = after.state === 'open' ? [] : scopesOfReview(after, findings);
    await reviews.save(after, left);
    if (left.length === 0) return;
    await ports.changed();
    await pushes.settle(number);
  }

  async function withdraw(
    principal: Principal,
    number: number,
    comment: string | null,
  ): Promise<StoredReview> {
    const review = await visible(principal, number);
    assertAllowed(mayWithdrawReview(principal, review));
    assertOpen(review, now());
    const order = { comment, now: now() };
    await reviews.save({ ...review, ...withdrawnReview(review, principal, order) });
    return reviews.get(number);
  }

  async function comment(
    principal: Principal,
    number: number,
    text: string,
  ): Promise<{ comment: ReviewComment; review: StoredReview }> {
    const review = await visible(principal, number);
    assertAllowed(mayCommentReview(principal));
    return { comment: await reviews.addComment(number, { author: principal, text }), review };
  }

  return { approvalsNeeded, list, count, visible, request, decide, withdraw, comment };
}
export type ReviewsService = ReturnType<typeof createReviewsService>;

/** @throws conflict `REVIEW_CLOSED` */
function assertOpen(review: StoredReview, now: Date): void {
  const state = reviewStateAt(review, now);
  if (state === 'open') return;
  throw conflict('REVIEW_CLOSED', `The request is closed: it is ${state.replace('_', ' ')}.`, {
    detail: { state },
  });
}

/** @throws invalid `REVIEW_EXCEPT_INVALID` */
function assertExcept(
  { vulnerabilities }: StoredReview,
  { decision, except }: ReviewDecision,
): void {
  const other = except.find((id) => !vulnerabilities.includes(id));
  if (other !== undefined) throw exceptInvalid(`The request does not ask for ${other}.`, other);
  if (decision === 'reject' && except.length > 0)
    throw exceptInvalid('A rejection has no exceptions.', except[0]);
  if (new Set(except).size === vulnerabilities.length)
    throw exceptInvalid('An approval of nothing is a rejection: reject the request.', except[0]);
}

/** @throws invalid `WAIVER_END_INVALID` */
function assertSooner(review: StoredReview, { decision, until }: ReviewDecision, now: Date): void {
  if (until === null) return;
  if (decision === 'approve' && mayEndAt(review, until, now)) return;
  const message =
    decision === 'reject'
      ? 'A rejection leaves no waiver that could end.'
      : 'The end is in the future, and not after the one that was asked for.';
  const days = Math.ceil((review.until.getTime() - now.getTime()) / DAY_MS);
  throw fieldInvalid('until', 'WAIVER_END_INVALID', message, { days });
}

function exceptInvalid(message: string, vulnerability = '') {
  return fieldInvalid('except', 'REVIEW_EXCEPT_INVALID', message, { vulnerability });
}
