/** What a folder holds, who may do what in it, and what happened there last. */
import {
  FOLDER_IMAGE_ORDERS,
  PULL_GATE_MODES,
  PUSH_GATE_MODES,
  STANDING_GROUPS,
  STATEMENT_MODES,
} from '@portcullis/domain';
import { z } from 'zod';
import { numberedPage, Time, Uuid } from '../common.ts';
import { Repository } from '../grammar.ts';
import type { Contract } from '../operation.ts';
import { FindingDay } from '../operations/dashboard.ts';
import { SeverityCounts } from '../severity-counts.ts';
import { StandingView } from '../staging/standing-view.ts';

const Count = z.number().int();

const FLAGS = {
  can_pull: z.boolean(),
  can_push: z.boolean(),
  can_pull_external: z.boolean(),
  can_push_external: z.boolean(),
};

const SUMMARY = {
  id: Uuid,
  name: z.string(),
  description: z.string(),
  /** What the caller may do in it. */
  rights: z.strictObject(FLAGS),
  /** Repositories with a tag. */
  repositories: Count,
  tags: Count,
  /**
   * Tagged images, each in one group: `blocked` does not pass the policy, `findings` passes with
   * vulnerabilities, `unscanned` has no scan that says enough, `artifact` is no container image.
   */
  images: z.strictObject({
    blocked: Count,
    findings: Count,
    unscanned: Count,
    clean: Count,
    artifact: Count,
  }),
  /** Blocked images that are still served in their grace period. */
  in_grace: Count,
  /** Of the last push; null for an empty folder. */
  updated_at: Time.nullable(),
};

export const FolderSummary = z.strictObject(SUMMARY);
export type FolderSummary = z.infer<typeof FolderSummary>;

const GroupMembers = z.strictObject({
  group_id: Uuid,
  group_name: z.string(),
  ...FLAGS,
  /** Usernames of enabled accounts; the first 20 by name. */
  members: z.array(z.string()),
  member_count: Count,
});

export const FolderEvent = z.strictObject({
  kind: z.enum([
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
  ]),
  at: Time,
  /** Null for a waiver. */
  repository: z.string().nullable(),
  digest: z.string().nullable(),
  /** The tag that was pushed last; for a blocked or cleared image its first one. */
  tag: z.string().nullable(),
  /** Of the waiver. */
  vulnerability: z.string().nullable(),
  waiver_id: Uuid.nullable(),
  /** The number of the review request, whose destination is in `repository` and `tag`. */
  review: z.number().int().nullable(),
  /**
   * The username of the account that let the push through, that requested, rejected or revoked the
   * waiver, or that requested, decided or withdrew the review.
   */
  by: z.string().nullable(),
});
export type FolderEvent = z.infer<typeof FolderEvent>;

export const FolderOverview = z.strictObject({
  ...SUMMARY,
  created_at: Time,
  /** Null: the default policy. */
  policy_id: Uuid.nullable(),
  policy_name: z.string(),
  push_gate: z.enum(PUSH_GATE_MODES),
  pull_gate: z.enum(PULL_GATE_MODES),
  /** Globs of tags that are neither moved nor deleted once they exist. */
  immutable_tags: z.array(z.string()),
  /** Whether it brings in what it lacks. */
  is_mirror: z.boolean(),
  /** Of the blobs and manifests of its repositories; each digest counts once. */
  bytes: Count,
  /** How many of these it may hold; null: any number. */
  quota_bytes: Count.nullable(),
  /** Whether signed statements about its tagged images are stored beside them. */
  statements: z.enum(STATEMENT_MODES),
  /** Groups with permissions, by name; null for other callers than administrators. */
  groups: z.array(GroupMembers).nullable(),
  /** Usernames of accounts that may push to it by their groups; the first ten. */
  owners: z.array(z.string()),
  /** Waivers in force: of this folder, and of all folders. */
  waivers: z.strictObject({ folder: Count, everywhere: Count }),
  /** The newest first, at most 20. */
  activity: z.array(FolderEvent),
});
export type FolderOverview = z.infer<typeof FolderOverview>;

export const FolderImage = z.strictObject({
  repository: z.string(),
  digest: z.string(),
  /** The first five, the newest first. */
  tags: z.array(z.string()),
  tag_count: Count,
  /** With all that it references; each blob counts once. */
  size: Count,
  pushed_at: Time,
  /** The group that the list counts it in, as it was announced last; the rest is of now. */
  standing: z.enum(STANDING_GROUPS),
  ...StandingView.shape,
  /** The first five vulnerabilities that block it. */
  blocking: z.array(z.string()),
  /** Since when it passes, or is blocked. */
  since: Time.nullable(),
  /** Until when it is still served although it is blocked. */
  grace_until: Time.nullable(),
  /** Of its newest report; null without one. */
  counts: SeverityCounts.nullable(),
  scanned_at: Time.nullable(),
});
export type FolderImage = z.infer<typeof FolderImage>;

export const FolderImagePage = numberedPage(FolderImage);
export type FolderImagePage = z.infer<typeof FolderImagePage>;

export const FolderTrend = z.strictObject({
  /**
   * The last 30 days in UTC, oldest first: what the scans of its tagged images found. An image
   * counts once a day, by the day's last scan; besides the newest report of an image, the results
   * of jobs are kept.
   */
  per_day: z.array(FindingDay),
});
export type FolderTrend = z.infer<typeof FolderTrend>;

/** The id or the name. */
const params = z.strictObject({ folder_id: z.string().min(1).max(128) });
const faults = [{ status: 404, codes: ['FOLDER_UNKNOWN'] }];

export const folderOverviews = {
  listFolderSummaries: {
    method: 'get',
    path: '/folders/overview',
    summary:
      'Folders that the caller may pull from, by name, with the number of their images by standing',
    access: 'user',
    token: ['pull'],
    success: { status: 200, body: z.array(FolderSummary) },
  },
  getFolderOverview: {
    method: 'get',
    path: '/folders/{folder_id}/overview',
    summary:
      'A folder that the caller may pull from: what it holds, who may do what, its gate and its last changes',
    access: 'user',
    token: ['pull'],
    params,
    success: { status: 200, body: FolderOverview },
    faults,
  },
  listFolderImages: {
    method: 'get',
    path: '/folders/{folder_id}/images',
    summary:
      'The tagged images of a folder that the caller may pull from, the most urgent first unless sorted: blocked ones, then by severity of their findings',
    access: 'user',
    token: ['pull'],
    params,
    query: z.strictObject({
      standing: z.enum(STANDING_GROUPS).optional(),
      q: z
        .string()
        .trim()
        .max(255)
        .optional()
        .describe('A part of the repository’s name or of a tag, in upper or lower case.'),
      sort: z
        .enum(FOLDER_IMAGE_ORDERS)
        .default('urgency')
        .describe(
          'A minus sign means descending. By urgency blocked ones are first, then those with the most severe findings; equal ones are by urgency, then newest first.',
        ),
      page: z.coerce.number().int().min(1).max(10_000).default(1),
      page_size: z.coerce.number().int().min(1).max(200).default(50),
    }),
    success: { status: 200, body: FolderImagePage },
    faults,
  },
  getFolderTrend: {
    method: 'get',
    path: '/folders/{folder_id}/trend',
    summary: 'What scans found on each day in a folder that the caller may pull from',
    access: 'user',
    token: ['pull'],
    params,
    query: z.strictObject({
      repository: Repository.optional().describe('Only this repository of the folder.'),
    }),
    success: { status: 200, body: FolderTrend },
    faults,
  },
} as const satisfies Contract;
