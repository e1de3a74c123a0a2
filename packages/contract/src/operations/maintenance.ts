/**
 * Upkeep of what the product stores: garbage in the built-in registry, and layouts that no job
 * owns.
 */
import { z } from 'zod';
import { Time, Uuid } from '../common.ts';
import type { Contract } from '../operation.ts';

export const GC_STATES = ['idle', 'running', 'done', 'failed'] as const;

/** The collection that runs, or the last one; `idle`: there was none yet. */
export const GarbageCollection = z.strictObject({
  state: z.enum(GC_STATES),
  /** Of the collection that is told of; all null or empty while `idle`. */
  dry_run: z.boolean(),
  delete_untagged: z.boolean(),
  requested_by: z.string().nullable(),
  requested_at: Time.nullable(),
  /** Null while it waits for a worker. */
  started_at: Time.nullable(),
  finished_at: Time.nullable(),
  /** What was deleted; of a dry run, what would be. */
  blobs_deleted: z.number().int(),
  manifests_deleted: z.number().int(),
  bytes_freed: z.number().int(),
  /** Why it failed. */
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** Its last lines. */
  log_tail: z.array(z.string()),
});
export type GarbageCollection = z.infer<typeof GarbageCollection>;

export const Orphan = z.strictObject({
  job_id: Uuid,
  size: z.number().int(),
  files: z.number().int(),
  modified_at: Time,
  /** A young one may be about to become a job's: it is left alone for now. */
  removable: z.boolean(),
});
export type Orphan = z.infer<typeof Orphan>;

export const Orphans = z.strictObject({
  /** Oldest first, at most 1000. */
  items: z.array(Orphan),
  total_size: z.number().int(),
  /** False: there is more than was looked at. */
  complete: z.boolean(),
});
export type Orphans = z.infer<typeof Orphans>;

export const OrphanRemoval = z.strictObject({ removing: z.array(Uuid), size: z.number().int() });
export type OrphanRemoval = z.infer<typeof OrphanRemoval>;

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
      'Collect the garbage of the built-in registry: writes wait or get 503 while it runs, reads go on',
    access: 'admin',
    audit: 'system.gc',
    body: z.strictObject({
      /** Says what would be deleted, and deletes nothing. */
      dry_run: z.boolean().default(false),
      /** Also manifests that neither a tag nor anything tagged leads to. */
      delete_untagged: z.boolean().default(false),
    }),
    success: { status: 202, body: GarbageCollection },
    faults: [{ status: 409, codes: ['GC_RUNNING', 'GC_UNAVAILABLE'] }],
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
    summary: 'Remove staging directories without a job; a worker does it',
    access: 'admin',
    audit: 'system.orphans_remove',
    success: { status: 202, body: OrphanRemoval },
  },
} as const satisfies Contract;
