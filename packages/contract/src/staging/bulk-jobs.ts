/** `POST /staging/jobs/bulk`: one action on many jobs. */
import { z } from 'zod';
import { Uuid } from '../common.ts';
import type { Operation } from '../operation.ts';
import { JOB_CONDITIONS } from '../staging-input.ts';

const BULK_ACTIONS = ['delete', 'cancel', 'retry'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

export const MOST_BULK_JOBS = 10_000;

const action = z.enum(BULK_ACTIONS);

const JobBulk = z
  .union([
    z.strictObject({ action, ids: z.array(Uuid).min(1).max(MOST_BULK_JOBS) }),
    z.strictObject({
      action,
      /** Those of the list with the same conditions. */
      filter: z.strictObject({ ...JOB_CONDITIONS, blocked: z.boolean().optional() }),
    }),
  ])
  .meta({ examples: [{ action: 'delete', filter: { status: ['failed'], blocked: false } }] });

const JobBulkResult = z.strictObject({
  done: z.number().int(),
  /** Jobs that the action does not apply to, or that the caller may not read. */
  refused: z.number().int(),
  /** Jobs that an outage stopped before their turn: they are as they were. */
  failed: z.number().int(),
  /** Why jobs were refused or failed, with at most 20 of them each. */
  reasons: z.array(
    z.strictObject({ code: z.string(), count: z.number().int(), job_ids: z.array(Uuid).max(20) }),
  ),
});

export const bulkJobs = {
  method: 'post',
  path: '/staging/jobs/bulk',
  summary: `Delete, cancel or retry up to ${MOST_BULK_JOBS} jobs, with an audit event for each`,
  access: 'user',
  audit: 'staging.bulk',
  body: JobBulk,
  success: { status: 200, body: JobBulkResult },
  faults: [{ status: 422, codes: ['SELECTION_TOO_LARGE'] }],
} as const satisfies Operation;
