/** What clusters run of the built-in registry. */
import { z } from 'zod';
import { PAGING, Time } from '../../common.ts';
import { Digest, Repository } from '../../grammar.ts';
import type { Contract } from '../../operation.ts';
import { VULNERABILITY } from '../../patterns.ts';

/** In how many namespaces of how many clusters images run. */
export const RunningCounts = z.strictObject({
  namespaces: z.number().int(),
  clusters: z.number().int(),
  /** When one of them was seen last. */
  seen_at: Time,
});
export type RunningCounts = z.infer<typeof RunningCounts>;

/** An image that a cluster started in a namespace. */
export const RunningImage = z.strictObject({
  repository: z.string(),
  folder: z.string(),
  /** What was started: an index, or an image of it. */
  digest: z.string(),
  /** The first twenty tags that have the digest now. */
  tags: z.array(z.string()),
  cluster: z.string(),
  namespace: z.string(),
  /** When it was seen last. */
  seen_at: Time,
});
export type RunningImage = z.infer<typeof RunningImage>;

/** Of the images that the caller may pull. */
export const RunningImages = z.strictObject({
  /** Null where none is known, which says nothing of clusters that do not report. */
  counts: RunningCounts.nullable(),
  images: z.array(RunningImage),
});
export type RunningImages = z.infer<typeof RunningImages>;

export const clusters = {
  listRunningImages: {
    method: 'get',
    path: '/clusters/running',
    summary:
      'Images that the caller may pull and that clusters started, by repository, digest, cluster and namespace',
    access: 'user',
    token: ['pull'],
    query: z.strictObject({
      repository: Repository.optional(),
      /** An image, or an index with the images that it lists. */
      digest: Digest.optional(),
      /** Only images that have this vulnerability. */
      vulnerability: z.string().regex(new RegExp(VULNERABILITY)).optional(),
      cluster: z.string().min(1).max(63).optional(),
      namespace: z.string().min(1).max(63).optional(),
      ...PAGING,
    }),
    success: { status: 200, body: RunningImages },
  },
} as const satisfies Contract;
