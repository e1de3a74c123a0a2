/** Types of what a folder holds: images by standing, sizes, members and activity. */
import type { FolderImageOrder, SeverityCounts, StandingGroup } from '@portcullis/domain';
import type { Grant } from '../accounts/folders-port.ts';

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
  'let_through',
  'blocked',
  'cleared',
  'waiver_requested',
  'waiver_approved',
  'waiver_rejected',
  'waiver_revoked',
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
  /**
   * The username of the account that let the push through, or that requested, rejected or revoked
   * the waiver.
   */
  by: string | null;
}

export interface FolderOverviews {
  /** By name, the root folder last; folders without images as well. */
  figures(folders: 'all' | readonly string[]): Promise<FolderFigures[]>;
  /** Bytes of the blobs and manifests of its repositories, each digest counted once. */
  bytes(folder: string): Promise<number>;
  /** The most urgent first. */
  images(filter: FolderImageFilter): Promise<{ items: FolderImage[]; total: number }>;
  /** Groups with a grant on the folder, by name. */
  groups(folderId: string): Promise<GroupMembers[]>;
  /** The newest first. */
  activity(folder: { id: string; name: string }, limit: number): Promise<FolderEvent[]>;
}
