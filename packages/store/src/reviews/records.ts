/** What the store keeps of review requests. */
import type {
  AuditEvent,
  Review,
  ReviewedFinding,
  ReviewState,
  ReviewViewer,
  WaiverScope,
  WaiverState,
} from '@portcullis/domain';
import type { PageOptions } from '../page.ts';

export interface StoredReview extends Review {
  /** A username. */
  requestedBy: string;
  /** The digest that the job has now; null where it has none, or was removed. */
  jobDigest: string | null;
  /** The account whose job it is; null where it was removed, or there is none. */
  jobOwnerId: string | null;
  commentsTotal: number;
  updatedAt: Date;
}

/** With what lists don't load. */
export interface DetailedReview extends StoredReview {
  findings: ReviewedFinding[];
}

export interface NewReview
  extends Pick<
    Review,
    | 'image'
    | 'destination'
    | 'age'
    | 'signatures'
    | 'counts'
    | 'reason'
    | 'ticket'
    | 'until'
    | 'push'
    | 'endsAt'
  > {
  /** Null for an image of the built-in registry. */
  jobId: string | null;
  requestedBy: { id: string; username: string };
  /** The most severe first. */
  findings: ReviewedFinding[];
}

export interface ReviewFilter extends PageOptions {
  state?: ReviewState | undefined;
  folder?: string | undefined;
  /** The id of an account. */
  requestedById?: string | undefined;
  /** The id of an account that approved or rejected it. */
  decidedBy?: string | undefined;
  /** Each word of it has to occur in the request. */
  q?: string | undefined;
  /** Only open requests of other accounts that this account has not approved. */
  reviewableBy?: string | undefined;
  /** Only what this account requested, and what it sees by its rights. */
  visibleTo?: ReviewViewer | undefined;
}

/** A waiver that an approval leaves behind. */
export type LeftWaiver = WaiverScope;

export interface ReviewComment {
  id: string;
  /** Null: no account wrote it. */
  authorId: string | null;
  /** The username of that time. */
  username: string | null;
  text: string;
  /** Of what no account wrote. */
  code: string | null;
  createdAt: Date;
}

export interface NewReviewComment {
  author: { id: string; username: string } | null;
  text: string;
  code?: string;
}

export interface Mailable {
  id: string;
  email: string | null;
}

export interface DueReviewPushes {
  now: Date;
  /** Until when no other process takes them. */
  lease: Date;
  /** Only this request. */
  number?: number;
}

export interface SettledReviewPush {
  state: 'requested' | 'refused';
  code: string | null;
  comment?: NewReviewComment;
  event?: AuditEvent;
}

export interface EarlierQuestion {
  vulnerabilities: readonly string[];
  /** The request that is looked at. */
  number: number;
  /** Only decisions before that. */
  before: Date;
  /** Undefined: all. */
  visibleTo: ReviewViewer | undefined;
}

/** How a vulnerability was decided about before: in a waiver, or in a request that left none. */
export interface EarlierDecision {
  vulnerability: string;
  decision: WaiverState | 'expired';
  /** The waiver; null where a request left none. */
  waiverId: string | null;
  review: number | null;
  folder: string | null;
  digest: string | null;
  by: string | null;
  reason: string | null;
  at: Date;
  until: Date | null;
}

/** Where an image is in the built-in registry. */
export interface DigestTags {
  repository: string;
  /** The first 20. */
  tags: string[];
  tagCount: number;
}

export type ReviewEvents = (reviews: readonly StoredReview[]) => AuditEvent[];
