/** Review requests: one question about an image for one destination, and what became of it. */
import type { JobDestination } from '../job/staging-job.ts';
import type { Severity, SeverityCounts } from '../policy/vulnerability.ts';
import type { SignatureRequirement } from '../signatures/signature-policy.ts';
import { AGE, isOfOneImage, SIGNATURE } from '../waivers/waiver.ts';

/** Of these, only `open` changes. */
export const REVIEW_STATES = [
  'open',
  'approved',
  'partly_approved',
  'rejected',
  'withdrawn',
  'expired',
] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** Vulnerabilities that one request asks for. */
export const MOST_REVIEWED = 500;
/** Open requests of one account. */
export const MOST_OPEN_REVIEWS = 100;
export const MOST_REVIEW_COMMENTS = 100;
export const MOST_REVIEW_CHARACTERS = 2_000;
/** Packages that are kept for each vulnerability; the total counts all. */
export const MOST_REVIEWED_PACKAGES = 20;

/** Audit events of review requests that code names; the operations name the others. */
export const REVIEW_REQUESTED = 'review.requested';
export const REVIEW_COMMENTED = 'review.commented';
export const REVIEW_EXPIRED = 'review.expired';
export const REVIEW_PUSH_REFUSED = 'review.push_refused';

export interface ReviewedPackage {
  name: string;
  installedVersion: string;
  fixedVersion: string | null;
  /** Whether the base image brought it; null where the history of the image does not tell. */
  inBase: boolean | null;
}

/** A vulnerability as the report of the image stated it when the review was requested. */
export interface ReviewedFinding {
  vulnerability: string;
  severity: Severity;
  title: string | null;
  cvssScore: number | null;
  cvssVector: string | null;
  primaryUrl: string | null;
  publishedAt: string | null;
  /** Those that block; the first `MOST_REVIEWED_PACKAGES`. */
  packages: ReviewedPackage[];
  packagesTotal: number;
}

/** The age that an image lacked when its review was requested. */
export interface ReviewedAge {
  /** When this installation first saw the image; null where that is unknown. */
  sightedAt: Date | null;
  /** When it passes by itself. */
  waitsUntil: Date;
}

export interface ReviewApproval {
  accountId: string;
  /** As it was then. */
  username: string;
  at: Date;
  /** Vulnerabilities that this account does not approve. */
  except: string[];
  /** The sooner end that this account sets; null: the one that was asked for. */
  until: Date | null;
  comment: string | null;
}

export interface ReviewClosing {
  /** Null where no account closed it. */
  accountId: string | null;
  /** As it was then. */
  username: string | null;
  at: Date;
  comment: string | null;
}

/**
 * The push that follows an approval. `wanted`: the request is open. `due`: it is approved, and the
 * push has not been requested yet. `dropped`: it was not approved.
 */
export const REVIEW_PUSH_STATES = ['wanted', 'due', 'requested', 'refused', 'dropped'] as const;
type ReviewPushState = (typeof REVIEW_PUSH_STATES)[number];

export interface ReviewPush {
  state: ReviewPushState;
  /** Why it was refused. */
  code: string | null;
}

export interface Review {
  /** A small number that people say; the next one is greater. */
  number: number;
  state: ReviewState;
  /** Null for an image that was asked about in the built-in registry, or once it was removed. */
  jobId: string | null;
  /** Where it was pulled from, and what it is. */
  image: {
    digest: string;
    /** Null for an ad-hoc host. */
    registryId: string | null;
    host: string;
    repository: string;
    tag: string;
  };
  /** Where the image is to be pushed. */
  destination: JobDestination;
  /** What it asks for: vulnerabilities, the most severe first, then `AGE` and `SIGNATURE`. */
  vulnerabilities: string[];
  /** Null where it does not ask for the age of the image. */
  age: ReviewedAge | null;
  /**
   * What the policy asked of the signatures of the image and they lacked; null where the request
   * does not ask for that.
   */
  signatures: SignatureRequirement[] | null;
  counts: SeverityCounts;
  reason: string;
  ticket: string | null;
  /** The end of the waivers that an approval leaves behind: as asked, or as approved. */
  until: Date;
  /** Null: the requester pushes the image. */
  push: ReviewPush | null;
  requestedById: string;
  approvals: ReviewApproval[];
  /** Of `vulnerabilities`, those that were approved; empty while the request is open. */
  approved: string[];
  closed: ReviewClosing | null;
  createdAt: Date;
  /** An open request expires at this time. */
  endsAt: Date;
}

/** The vulnerabilities among what a request asks for. */
export function vulnerabilitiesIn(ids: readonly string[]): string[] {
  return ids.filter((id) => !isOfOneImage(id));
}

/** What a request asks for, by its ids. */
export function askedIds({ findings, age, signatures }: AskedFor): string[] {
  const ids = findings.map(({ vulnerability }) => vulnerability);
  return [...ids, ...(age ? [AGE] : []), ...(signatures ? [SIGNATURE] : [])];
}

/** What a request asks for, in any of its forms. */
export interface AskedFor {
  findings: readonly { vulnerability: string }[];
  age: object | null;
  signatures: object | null;
}
