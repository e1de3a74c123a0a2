import { z } from 'zod';
import { FieldFault } from './field-faults.ts';
import { CURSOR } from './patterns.ts';

/** RFC 3339, UTC. */
export const Time = z.iso.datetime();
export const Uuid = z.uuid();

/** Lists: `Link: <…>; rel="next"` leads on, `X-Total-Count` is the whole number. */
export const PAGING = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .min(1)
    .max(1000)
    .meta({ pattern: CURSOR, description: 'From the `Link` of the page before, as it is.' })
    .optional(),
};

/** `q`: part of the tag, upper or lower case; of the built-in registry a whole digest as well. */
export const TAG_PAGING = { ...PAGING, q: z.string().trim().max(255).optional() };

/** RFC 9457 `application/problem+json`. */
export const Problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  /** Of a 422 or a denied field. */
  errors: z.array(FieldFault).optional(),
});
export type Problem = z.infer<typeof Problem>;
