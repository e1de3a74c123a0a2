import type { FolderImageOrder, SeverityCounts, StandingGroup } from '@portcullis/domain';
import type { RetainedTag, RetentionRule } from '@portcullis/domain/retention';
import type { Grant } from '../accounts/records.ts';

/** Types of the blobs and manifests that the repositories of a folder have, for its quota. */
export interface PresentContent {
  digest: string;
  /** The largest that a manifest states. */
  size: number;
  /** As a manifest, whose contents the folder has as well. */
  isManifest: boolean;
}

export interface UsedBound {
  /** At least as much as is used: what several repositories share counts several times. */
  bytes: number;
  /** Differs after each change of what is used. */
  mark: string;
  /** Differs after a repository was created, removed or both, or came under another folder. */
  members: string;
  /** What was ever added to these repositories. It bounds their growth while `members` is equal. */
  added: bigint;
}

export interface FolderFigures {
  id: string;
  name: string;
  description: string;
  /** Repositories with a tag. */
  repositories: number;
  tags: number;
  /** Tagged images: digests in repositories. */
  images: Record<StandingGroup, number>;
  /** Blocked images that are still served. */
  inGrace: number;
  /** Of the last push; null for an empty folder. */
  updatedAt: Date | null;
}

/** A tagged image by its standing as it was announced last. */
export interface FolderImage {
  repository: string;
  digest: string;
  /** The first five, the newest first. */
  tags: string[];
  tagCount: number;
  /** With all that it references, each blob counted once. */
  size: number;
  pushedAt: Date;
  standing: StandingGroup;
  /** Why it is blocked. */
  code: string | null;
  /** Ids of the first five vulnerabilities that block it. */
  blocking: string[];
  blockingTotal: number;
  /** Since when it passes or not. */
  since: Date | null;
  graceUntil: Date | null;
  /** Null without a report. */
  counts: SeverityCounts | null;
  scannedAt: Date | null;
}

export interface FolderImageFilter {
  folder: string;
  standing?: StandingGroup | undefined;
  /** Part of the repository's name or of a tag, case-insensitive. */
  q?: string | undefined;
  /** The most urgent first by default. */
  sort?: FolderImageOrder | undefined;
  /** Starts at 1. */
  page: number;
  pageSize: number;
}

export interface GroupMembers extends Grant {
  /** Usernames of the first 20 enabled members. */
  members: string[];
  memberCount: number;
}

export const FOLDER_EVENTS = [
  'pushed',
  'bypassed',
  'blocked',
  'cleared',
  'waiver_requested',
  'waiver_approved',
  'waiver_rejected',
  'waiver_revoked',
  'review_requested',
  'review_approved',
  'review_partly_approved',
  'review_rejected',
  'review_withdrawn',
  'review_expired',
] as const;

export interface FolderEvent {
  kind: (typeof FOLDER_EVENTS)[number];
  at: Date;
  /** Null for a waiver. */
  repository: string | null;
  digest: string | null;
  /** The tag that was pushed last; for a blocked or cleared image its first one. */
  tag: string | null;
  /** Of the waiver, as the following. */
  vulnerability: string | null;
  waiverId: string | null;
  /** The number of the review request, whose image and destination are named. */
  review: number | null;
  /**
   * The username of the account that let the push through, that requested, rejected or revoked the
   * waiver, or that requested, decided or withdrew the review.
   */
  by: string | null;
}

export interface RetainedRepository {
  repository: string;
  tags: RetainedTag[];
}

export interface RetentionCounts {
  repositories: number;
  tagsKept: number;
  tagsRemoved: number;
  /** Removals that failed or were refused. */
  tagsFailed: number;
}

/** The newest run of a folder's rule. */
export interface RetentionRun extends RetentionCounts {
  folderId: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  /** A username; null: it was due. */
  requestedBy: string | null;
  requestedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  error: { code: string; message: string } | null;
}

/** A run that this worker has. */
export interface ClaimedRetention extends RetentionCounts {
  folderId: string;
  folder: string;
  requestedBy: string | null;
  rule: RetentionRule;
  /** The last repository that is done; null at the beginning. */
  cursor: string | null;
  /** The fence of writes. */
  attempts: number;
  /** Of the first attempt, and of this one, by the clock of the database. */
  startedAt: Date;
  claimedAt: Date;
}

export type RetentionAttempt = Pick<ClaimedRetention, 'folderId' | 'attempts'>;
