/** What a caller may know, on one page. */
import { JOB_STATUSES, VERDICTS } from '@portcullis/domain';
import { z } from 'zod';
import { Time } from '../common.ts';
import type { Contract } from '../operation.ts';
import { SeverityCounts } from '../severity-counts.ts';

const Count = z.number().int();

export const ATTENTION_KINDS = [
  'jobs_blocked',
  'jobs_failed',
  'scanner_unavailable',
  'scanner_db_old',
  'registry_unavailable',
  'disk_short',
  'disk_nearly_full',
  'events_lagging',
  'gc_failed',
] as const;

export const Attention = z.strictObject({
  kind: z.enum(ATTENTION_KINDS),
  level: z.enum(['warning', 'critical']),
  /** Jobs, seconds, percent or events: as the kind says. */
  count: z.number(),
});
export type Attention = z.infer<typeof Attention>;

export const DashboardStats = z.strictObject({
  /** Of the built-in registry, as far as the caller may pull. */
  repositories: Count,
  tags: Count,
  /** Each blob counted once. */
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
  /** Of `DATA_DIR`; admins only. */
  disk: z.strictObject({ total: Count, free: Count }).nullable(),
  /** Of the last 30 days: the caller's own, an admin's all. */
  jobs: z.strictObject({
    by_status: z.partialRecord(z.enum(JOB_STATUSES), Count),
    /** Oldest first, each day of the thirty, in UTC. */
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
  /** Of tagged images, by their newest scan. */
  findings: z.strictObject({
    images_scanned: Count,
    images_unscanned: Count,
    by_severity: SeverityCounts,
    fixable: Count,
    /**
     * What the scans of each day found, oldest first, each of the thirty days, in UTC. Scans are
     * those of the caller's own jobs (an admin's: all) and of tagged images he may pull. An image
     * counts once a day, by the day's last scan; of scans on demand only the newest of an image is
     * kept. Days without a scan have no image.
     */
    per_day: z.array(
      z.strictObject({ day: z.iso.date(), images: Count, by_severity: SeverityCounts }),
    ),
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
  /** Admins only. */
  accounts: z.strictObject({ users: Count, admins: Count, disabled: Count }).nullable(),
  attention: z.array(Attention),
  /** The figures may be some seconds old. */
  as_of: Time,
});
export type DashboardStats = z.infer<typeof DashboardStats>;

export const dashboard = {
  stats: {
    method: 'get',
    path: '/dashboard/stats',
    summary: 'Figures of what the caller may see',
    access: 'user',
    success: { status: 200, body: DashboardStats },
  },
} as const satisfies Contract;
