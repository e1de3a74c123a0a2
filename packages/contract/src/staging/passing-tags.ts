/** `GET /staging/jobs/{job_id}/passing-tags`: what to use in place of an image that is blocked. */
import { z } from 'zod';
import { Time, Uuid } from '../common.ts';
import type { Operation } from '../operation.ts';
import { SeverityCounts } from '../severity-counts.ts';
import { SAVED_DESTINATION } from '../staging-input.ts';
import { TOKENS_OF_JOBS } from '../token-actions.ts';

export const PassingTags = z.strictObject({
  /** The nearest first, at most 3. */
  tags: z.array(
    z.strictObject({
      tag: z.string(),
      digest: z.string(),
      /** The newest job that judged it. */
      job_id: Uuid,
      /** All its findings, none of which blocks it there. */
      counts: SeverityCounts,
      /** The first end of the waivers that it passes by; null where it needs none. */
      allowed_until: Time.nullable(),
    }),
  ),
  /** How many other tags of the repository the caller has judged jobs of. */
  judged: z.number().int(),
});
export type PassingTags = z.infer<typeof PassingTags>;

const { folder, external_registry_id, target_image } = SAVED_DESTINATION;

export const listPassingTags = {
  method: 'get',
  path: '/staging/jobs/{job_id}/passing-tags',
  summary:
    'Other tags of the repository of a job that pass for a destination, by default its own, from what the caller has judged already',
  access: 'user',
  token: [...TOKENS_OF_JOBS],
  costly: true,
  params: z.strictObject({ job_id: Uuid }),
  query: z.strictObject({
    folder,
    external_registry_id,
    target_image: target_image
      .optional()
      .describe('The name there, without the folder. Absent: the last part of the image.'),
  }),
  success: { status: 200, body: PassingTags },
  faults: [
    { status: 403, codes: ['FOLDER_FORBIDDEN', 'MIRROR_READ_ONLY', 'PUSH_EXTERNAL_FORBIDDEN'] },
    { status: 404, codes: ['JOB_UNKNOWN', 'REGISTRY_UNKNOWN'] },
    { status: 422, codes: ['FOLDER_UNKNOWN', 'NAME_INVALID'] },
  ],
} as const satisfies Operation;
