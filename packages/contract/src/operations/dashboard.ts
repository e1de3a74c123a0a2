/** The figures of the dashboard page, limited to what the caller may read. */
import { JOB_STATUSES, VERDICTS } from '@portcullis/domain';
import { z } from 'zod';
import { Time } from '../common.ts';
import type { Contract } from '../operation.ts';
import { SeverityCounts } from '../severity-counts.ts';

const Count = z.number().int();

export const ATTENTION_KINDS = [
  'reviews_waiting',
  'waivers_waiting',
  'jobs_blocked',
  'jobs_failed',
  'scanner_unavailable',
  'scanner_db_old',
  'registry_unavailable',
  'no_worker',
  'disk_short',
  'disk_nearly_full',
  'events_lagging',
  'gc_failed',
] as const;

export const Attention = z.strictObject({
  kind: z.enum(ATTENTION_KINDS),
  level: z.enum(['warning', 'critical']),
  /**
   * The unit depends on the kind: requests, jobs, seconds, percent or events. Requests are those
   * that the caller may decide about; failed jobs those that were requested in the last 24 hours.
   */
  count: z.number(),
  /** When the request that waits longest was made; null for other kinds. */
  oldest_at: Time.nullable(),
});
export type Attention = z.infer<typeof Attention>;

export const FindingDay = z.strictObject({
  day: z.iso.date(),
  images: Count,
  by_severity: SeverityCounts,
});
export type FindingDay = z.infer<typeof FindingDay>;

export const DashboardStats = z.strictObject({
  /** Repositories of the built-in registry that the caller may pull. */
  repositories: Count,
  tags: Count,
  /** Each blob counts once. */
  bytes: Count,
  folders: z.array(
    z.strictObject({ folder: z.string(), repositories: Count, tags: Count, bytes: Count }),
  ),
  largest: z.array(
    z.strictObject({
      name: z.string(),
      folder: z.string(),
      size: Count,
      tag_count: Count,
      updated_at: Time,
    }),
  ),
  /** The disk of `DATA_DIR`; administrators only. */
  disk: z.strictObject({ total: Count, free: Count }).nullable(),
  /** Jobs of the last 30 days: the caller's own; for an administrator, all. */
  jobs: z.strictObject({
    by_status: z.partialRecord(z.enum(JOB_STATUSES), Count),
    /** The last 30 days in UTC, oldest first. */
    per_day: z.array(
      z.strictObject({
        day: z.iso.date(),
        total: Count,
        pushed: Count,
        failed: Count,
        blocked: Count,
      }),
    ),
  }),
  /** The findings of tagged images by their newest scan. */
  findings: z.strictObject({
    images_scanned: Count,
    images_unscanned: Count,
    by_severity: SeverityCounts,
    fixable: Count,
    /**
     * The last 30 days in UTC, oldest first. Counted are scans of the caller's jobs (for an
     * administrator, of all jobs) and of tagged images that the caller may pull. An image counts
     * once a day, by the day's last scan; of scans on demand only the newest per image is kept.
     */
    per_day: z.array(FindingDay),
  }),
  top_vulnerable: z.array(
    z.strictObject({
      repository: z.string(),
      tag: z.string(),
      digest: z.string(),
      counts: SeverityCounts,
      verdict: z.enum(VERDICTS).nullable(),
      scanned_at: Time,
    }),
  ),
  scanner: z.strictObject({
    enabled: z.boolean(),
    available: z.boolean(),
    version: z.string().nullable(),
    db_age_s: z.number().nullable(),
  }),
  registry: z.strictObject({ ok: z.boolean() }),
  /** Administrators only. */
  accounts: z.strictObject({ users: Count, admins: Count, disabled: Count }).nullable(),
  attention: z.array(Attention),
  /** When the figures were computed: they may be some seconds old. */
  as_of: Time,
});
export type DashboardStats = z.infer<typeof DashboardStats>;

export const dashboard = {
  stats: {
    method: 'get',
    path: '/dashboard/stats',
    summary: 'Figures about what the caller may read',
    access: 'user',
    token: ['report'],
    success: { status: 200, body: DashboardStats },
  },
} as const satisfies Contract;
