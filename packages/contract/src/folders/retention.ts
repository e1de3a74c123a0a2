/** Retention of tags: the rule of a folder, what it would remove, and its runs. */
import { z } from 'zod';
import { Time } from '../common.ts';
import { rule } from '../field-faults.ts';
import type { Contract } from '../operation.ts';

const Count = z.number().int();

const TERMS = {
  /** How many of the newest tags of each repository stay; null: this term keeps none. */
  keep_newest: z.number().int().min(1).max(100_000).nullable(),
  /** For how many days after its last push a tag stays; null: this term keeps none. */
  keep_days: z.number().int().min(1).max(36_500).nullable(),
  /** Globs, as tag patterns of transfers: a tag that matches one stays. */
  keep: z.array(z.string().min(1).max(128)).max(20),
};

/** A tag that one term keeps stays; all others are removed. */
export const TagRetention = z.strictObject(TERMS);
export type TagRetention = z.infer<typeof TagRetention>;

export const NewTagRetention = z
  .strictObject({
    keep_newest: TERMS.keep_newest.default(null),
    keep_days: TERMS.keep_days.default(null),
    keep: TERMS.keep.default([]),
  })
  .refine(
    ({ keep_newest, keep_days }) => keep_newest !== null || keep_days !== null,
    rule('RETENTION_UNBOUNDED', 'Set keep_newest, keep_days or both.', ['keep_newest']),
  );

export const RetentionPreview = z.strictObject({
  /** Repositories with tags. */
  repositories: Count,
  tags_kept: Count,
  tags_removed: Count,
  /** The first 500, by repository. */
  removed: z.array(
    z.strictObject({
      repository: z.string(),
      tag: z.string(),
      digest: z.string(),
      updated_at: Time,
    }),
  ),
  /** Whether there are more than `removed` lists. */
  more: z.boolean(),
  /** False where not all repositories were looked at within ten seconds. */
  complete: z.boolean(),
});
export type RetentionPreview = z.infer<typeof RetentionPreview>;

const RetentionRun = z.strictObject({
  state: z.enum(['running', 'done', 'failed']),
  /** A username; null: it was due. */
  requested_by: z.string().nullable(),
  requested_at: Time,
  /** Null while it waits for a worker. */
  started_at: Time.nullable(),
  finished_at: Time.nullable(),
  repositories: Count,
  tags_kept: Count,
  tags_removed: Count,
  /** Removals that failed or were refused. */
  tags_failed: Count,
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
});

export const FolderRetention = z.strictObject({
  /** Null: every tag stays. */
  retention: TagRetention.nullable(),
  /** The last run; null before the first one. */
  run: RetentionRun.nullable(),
});
export type FolderRetention = z.infer<typeof FolderRetention>;

/** The id or the name. */
const params = z.strictObject({ folder_id: z.string().min(1).max(128) });
const UNKNOWN = { status: 404, codes: ['FOLDER_UNKNOWN'] };

export const folderRetention = {
  getRetention: {
    method: 'get',
    path: '/folders/{folder_id}/retention',
    summary:
      'Which tags of a folder that the caller may pull from are removed, and what the last run did',
    access: 'user',
    token: ['pull'],
    params,
    success: { status: 200, body: FolderRetention },
    faults: [UNKNOWN],
  },
  previewRetention: {
    method: 'post',
    path: '/folders/{folder_id}/retention/preview',
    summary: 'Which tags a rule, or the saved one, would remove now; removes nothing',
    access: 'admin',
    audit: 'folder.retention_preview',
    params,
    body: z.strictObject({
      retention: NewTagRetention.optional().describe('Absent: the saved rule.'),
    }),
    success: { status: 200, body: RetentionPreview },
    faults: [
      UNKNOWN,
      { status: 409, codes: ['RETENTION_UNSET'] },
      { status: 422, codes: ['PATTERN_INVALID'] },
    ],
  },
  runRetention: {
    method: 'post',
    path: '/folders/{folder_id}/retention/run',
    summary:
      'Remove the tags that the saved rule does not keep, now; a worker does it. While a run waits or works, no other begins',
    access: 'admin',
    audit: 'folder.retention_request',
    params,
    success: { status: 202, body: FolderRetention },
    faults: [UNKNOWN, { status: 409, codes: ['RETENTION_UNSET'] }],
  },
} as const satisfies Contract;
