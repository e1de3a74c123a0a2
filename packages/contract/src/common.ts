import { z } from 'zod';
import { FieldFault } from './field-faults.ts';
import { CURSOR } from './patterns.ts';

/** RFC 3339, UTC. */
export const Time = z.iso.datetime();
/** RFC 3339 with any offset, as a client may send it. */
export const Moment = z.iso.datetime({ offset: true });
export const Uuid = z.uuid();

/** Gateways commonly end a request that is silent for a minute. */
export const WAIT = {
  wait: z.coerce.number().int().min(0).max(55).default(0).meta({
    description:
      'Seconds to wait for another status, or for the final one; 0 answers at once. The answer is the same.',
  }),
};

/**
 * A list is paged: `Link: <…>; rel="next"` gives the next page, `X-Total-Count` the number of all
 * items.
 */
export const PAGING = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .min(1)
    .max(1000)
    .meta({
      pattern: CURSOR,
      description: 'Copied unchanged from the `Link` of the previous page.',
    })
    .optional(),
};

/**
 * `q` is a part of the tag in upper or lower case; for the built-in registry it may also be a whole
 * digest.
 */
export const TAG_PAGING = { ...PAGING, q: z.string().trim().max(255).optional() };

/** RFC 9457 `application/problem+json`. */
export const Problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  /** Set for a 422 and for a field that is denied. */
  errors: z.array(FieldFault).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** A page of a list whose pages have numbers, from 1. */
export function numberedPage<T extends z.ZodType>(item: T) {
  return z.strictObject({
    items: z.array(item),
    total: z.number().int(),
    page: z.number().int(),
    page_size: z.number().int(),
    total_pages: z.number().int(),
  });
}
