/** Shows review requests as the API does. */

import { requirementTerm } from '@portcullis/contract';
import {
  AGE,
  mayCommentReview,
  mayDecideReview,
  mayWithdrawReview,
  type Principal,
  type ReviewedFinding,
  reviewChange,
  reviewStateAt,
  SIGNATURE,
  type ThreatFeeds,
  vulnerabilitiesIn,
} from '@portcullis/domain';
import type { DetailedReview, ReviewComment, StoredReview } from '@portcullis/store';
import { alsoBlocking, blockingNow, type ReviewFacts } from './detail.ts';

export interface ReviewView {
  principal: Principal;
  feeds: ThreatFeeds;
  approvalsNeeded: number;
  now: Date;
}

export function presentReview(review: StoredReview, view: ReviewView) {
  const { approvals, closed } = review;
  const vulnerabilities = vulnerabilitiesIn(review.vulnerabilities);
  const { kev } = view.feeds;
  const state = reviewStateAt(review, view.now);
  return {
    ...review,
    jobId: isOfOthers(review, view.principal) ? null : review.jobId,
    state,
    changed: reviewChange(review, review.jobDigest),
    findingsTotal: vulnerabilities.length,
    exploited: kev && vulnerabilities.filter((id) => kev.has(id)).length,
    approvedTotal: vulnerabilitiesIn(review.approved).length,
    age: review.age && {
      ...review.age,
      approved: closed === null ? null : review.approved.includes(AGE),
    },
    signatures: review.signatures && {
      missing: review.signatures.map(requirementTerm),
      approved: closed === null ? null : review.approved.includes(SIGNATURE),
    },
    requestedBy: { id: review.requestedById, username: review.requestedBy },
    approvals: approvals.map(({ accountId: id, ...approval }) => ({ id, ...approval })),
    approvalsNeeded: view.approvalsNeeded,
    closed: closed && {
      by: { id: closed.accountId, username: closed.username },
      at: closed.at,
      comment: closed.comment,
    },
    may: mayNow(review, { ...view, isOpen: state === 'open' }),
  };
}

/** What is kept out of a mirror has the job of the account that pulled it first. */
function isOfOthers(
  { requestedById, jobOwnerId }: StoredReview,
  { id, isAdmin }: Principal,
): boolean {
  return !isAdmin && requestedById === id && jobOwnerId !== id;
}

function mayNow(
  review: StoredReview,
  { principal, isOpen }: Pick<ReviewView, 'principal'> & { isOpen: boolean },
) {
  const decision = mayDecideReview(principal, review);
  const decideCode = decision.allowed ? (isOpen ? null : 'REVIEW_CLOSED') : decision.code;
  return {
    decide: decideCode === null,
    decideCode,
    withdraw: isOpen && mayWithdrawReview(principal, review).allowed,
    comment: mayCommentReview(principal).allowed,
  };
}

const MOST_LISTED = 100;

export function presentDetail(review: DetailedReview, facts: ReviewFacts, view: ReviewView) {
  const blocking = blockingNow(facts);
  const also = alsoBlocking(blocking, review.findings);
  const known = { review, earlier: facts.earlier, feeds: view.feeds, blocking };
  return {
    ...presentReview(review, view),
    findings: review.findings.map((finding) => presentFinding(finding, known)),
    decision: facts.judged?.explanation ?? null,
    alsoBlocking: also.slice(0, MOST_LISTED),
    alsoBlockingTotal: also.length,
    covers: facts.covers,
    comments: facts.comments.map(presentComment),
  };
}

interface Known extends Pick<ReviewFacts, 'earlier'>, Pick<ReviewView, 'feeds'> {
  review: StoredReview;
  blocking: ReadonlySet<string> | null;
}

function presentFinding(finding: ReviewedFinding, { review, earlier, feeds, blocking }: Known) {
  const { vulnerability: id } = finding;
  return {
    ...finding,
    kev: feeds.kev?.has(id) ?? null,
    epss: feeds.epss?.score(id) ?? null,
    approved: review.closed === null ? null : review.approved.includes(id),
    blocks: blocking?.has(id) ?? null,
    earlier: (earlier.get(id) ?? []).map(({ digest, ...decided }) => ({
      ...decided,
      sameImage: digest === review.image.digest,
    })),
  };
}

export function presentComment({ authorId: id, username, ...comment }: ReviewComment) {
  return { ...comment, author: { id, username } };
}
