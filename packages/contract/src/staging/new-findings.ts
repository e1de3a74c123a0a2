/** `GET /staging/jobs/{job_id}/findings/new`: what the previous scan of the image did not find. */
import { z } from 'zod';
import { Time, Uuid } from '../common.ts';
import type { Operation } from '../operation.ts';
import { TOKENS_OF_JOBS } from '../token-actions.ts';

export const NewFindings = z.strictObject({
  /** The scan that the job is compared with; null where there is none. */
  previous: z
    .strictObject({
      /**
       * The newest older job of the reference; without one this job where it was scanned again, or
       * the newest older job of another tag of the repository.
       */
      job_id: Uuid,
      tag: z.string(),
      digest: z.string().nullable(),
      scanned_at: Time,
    })
    .nullable(),
  /** Ids of the vulnerabilities that it did not find, the worst first. */
  vulnerabilities: z.array(z.string()),
});
export type NewFindings = z.infer<typeof NewFindings>;

export const listNewFindings = {
  method: 'get',
  path: '/staging/jobs/{job_id}/findings/new',
  summary: 'The vulnerabilities of a job that the previous scan of its image did not find',
  access: 'user',
  token: [...TOKENS_OF_JOBS, 'report'],
  params: z.strictObject({ job_id: Uuid }),
  success: { status: 200, body: NewFindings },
  faults: [{ status: 404, codes: ['JOB_UNKNOWN'] }],
} as const satisfies Operation;
