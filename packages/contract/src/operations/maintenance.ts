/** Garbage collection, threat feeds, and staging directories without a job. */
import { FEED_KINDS } from '@portcullis/domain';
import { z } from 'zod';
import { Time, Uuid } from '../common.ts';
import type { Contract } from '../operation.ts';

export const GC_STATES = ['idle', 'running', 'done', 'failed'] as const;

/** The garbage collection that runs, or the last one; `idle` if none was run yet. */
export const GarbageCollection = z.strictObject({
  state: z.enum(GC_STATES),
  /** All following fields are null or empty while `idle`. */
  dry_run: z.boolean(),
  delete_untagged: z.boolean(),
  requested_by: z.string().nullable(),
  requested_at: Time.nullable(),
  /** Null while it waits for a worker. */
  started_at: Time.nullable(),
  finished_at: Time.nullable(),
  /** Deleted, or in a dry run to be deleted. */
  blobs_deleted: z.number().int(),
  manifests_deleted: z.number().int(),
  bytes_freed: z.number().int(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** The last lines of the log. */
  log_tail: z.array(z.string()),
});
export type GarbageCollection = z.infer<typeof GarbageCollection>;

export const Orphan = z.strictObject({
  job_id: Uuid,
  size: z.number().int(),
  files: z.number().int(),
  modified_at: Time,
  /** False for a recent directory, which may be about to become a job's. */
  removable: z.boolean(),
});
export type Orphan = z.infer<typeof Orphan>;

export const Orphans = z.strictObject({
  /** Oldest first, at most 1000. */
  items: z.array(Orphan),
  total_size: z.number().int(),
  /** False if there are more directories than were examined. */
  complete: z.boolean(),
});
export type Orphans = z.infer<typeof Orphans>;

export const OrphanRemoval = z.strictObject({ removing: z.array(Uuid), size: z.number().int() });
export type OrphanRemoval = z.infer<typeof OrphanRemoval>;

export const ThreatFeedView = z.strictObject({
  kind: z.enum(FEED_KINDS),
  /** The address of the content, `import`, or `off`; null for a feed that was never tried. */
  source: z.string().nullable(),
  /** The model of EPSS, or the version of the KEV catalog; null for a feed that was never read. */
  version: z.string().nullable(),
  /** The date of the scores, or when the catalog was released. */
  published_at: Time.nullable(),
  /** When this content was read first. */
  fetched_at: Time.nullable(),
  /** When the source was last seen to have nothing newer. */
  checked_at: Time.nullable(),
  /** Seconds since the content was known to be current. */
  age_s: z.number().int().nullable(),
  /** Whether it is missing or too old for a rule to rely on it. */
  stale: z.boolean(),
  entries: z.number().int(),
  /** The newest attempt, where it failed. */
  error: z
    .strictObject({ code: z.string(), message: z.string(), source: z.string(), at: Time })
    .nullable(),
});
export type ThreatFeedView = z.infer<typeof ThreatFeedView>;

export const maintenance = {
  getGarbageCollection: {
    method: 'get',
    path: '/system/gc',
    summary: 'The garbage collection that runs, or the last one',
    access: 'admin',
    success: { status: 200, body: GarbageCollection },
  },
  collectGarbage: {
    method: 'post',
    path: '/system/gc',
    summary:
      'Run the garbage collection of the built-in registry: meanwhile writes wait or get 503, reads continue',
    access: 'admin',
    audit: 'system.gc',
    body: z.strictObject({
      /** Reports what would be deleted, and deletes nothing. */
      dry_run: z.boolean().default(false),
      /** Also deletes manifests that are neither tagged nor referenced by a tagged one. */
      delete_untagged: z.boolean().default(false),
    }),
    success: { status: 202, body: GarbageCollection },
    faults: [{ status: 409, codes: ['GC_RUNNING', 'GC_UNAVAILABLE'] }],
  },
  listFeeds: {
    method: 'get',
    path: '/system/feeds',
    summary: 'The feeds of exploited vulnerabilities, KEV and EPSS, with their age',
    access: 'admin',
    success: { status: 200, body: z.array(ThreatFeedView) },
  },
  listOrphans: {
    method: 'get',
    path: '/system/orphans',
    summary: 'Staging directories without a job',
    access: 'admin',
    success: { status: 200, body: Orphans },
  },
  removeOrphans: {
    method: 'delete',
    path: '/system/orphans',
    summary: 'Remove staging directories without a job; a worker removes them',
    access: 'admin',
    audit: 'system.orphans_remove',
    success: { status: 202, body: OrphanRemoval },
  },
} as const satisfies Contract;
