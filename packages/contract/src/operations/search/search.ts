/** One search over everything that the caller may see. */
import { JOB_STATUSES, SEVERITIES, VERDICTS } from '@portcullis/domain';
import { z } from 'zod';
import { Time, Uuid } from '../../common.ts';
import type { Contract } from '../../operation.ts';
import { NONBLANK } from '../../patterns.ts';

/** The best five of each kind. */
export const SearchResults = z.strictObject({
  /** Repositories with a tag of the built-in registry. */
  images: z.array(
    z.strictObject({ repository: z.string(), folder: z.string(), tag_count: z.number().int() }),
  ),
  /** The newest. */
  jobs: z.array(
    z.strictObject({
      job_id: Uuid,
      image: z.string(),
      tag: z.string(),
      status: z.enum(JOB_STATUSES),
      verdict: z.enum(VERDICTS),
      /** As in the job. */
      blocked: z.boolean(),
      created_at: Time,
    }),
  ),
  vulnerabilities: z.array(
    z.strictObject({
      id: z.string(),
      /** The worst of its findings. */
      severity: z.enum(SEVERITIES),
      /** Null where no report states it. */
      title: z.string().nullable(),
    }),
  ),
  folders: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  /** Empty for all but administrators. */
  people: z.array(
    z.strictObject({
      id: Uuid,
      username: z.string(),
      email: z.string().nullable(),
      disabled: z.boolean(),
    }),
  ),
});
export type SearchResults = z.infer<typeof SearchResults>;

export const search = {
  searchAll: {
    method: 'get',
    path: '/search',
    summary:
      'The first images, staging jobs, vulnerabilities, folders and people that the caller may see',
    access: 'user',
    query: z.strictObject({
      /**
       * A part of a repository, an image with or without its tag, a vulnerability, a folder, a
       * username or an e-mail address, in upper or lower case; or the beginning of a digest.
       */
      q: z.string().trim().min(1).max(255).meta({ pattern: NONBLANK }),
    }),
    success: { status: 200, body: SearchResults },
  },
} as const satisfies Contract;
