/** `POST /images/{registry_id}/tags/delete`: many tags of a repository. */
import { z } from 'zod';
import { Digest, Repository, Tag } from '../grammar.ts';
import type { Operation } from '../operation.ts';
import { EGRESS_CLOSED, REGISTRY_DOWN, RegistryId } from '../operations/registries.ts';

const MOST_TAGS = 500;

export const removeImageTags = {
  method: 'post',
  path: '/images/{registry_id}/tags/delete',
  summary: `Delete up to ${MOST_TAGS} tags; other tags of the same digests remain`,
  access: 'user',
  token: ['delete'],
  audit: 'image.tag_delete',
  params: z.strictObject({ registry_id: RegistryId }),
  query: z.strictObject({ repository: Repository }),
  body: z.strictObject({
    tags: z.array(Tag).min(1).max(MOST_TAGS),
    digest: Digest.optional().describe(
      'Tags that lead to another digest are refused with `TAG_MOVED`.',
    ),
  }),
  success: {
    status: 200,
    body: z.strictObject({
      done: z.number().int(),
      /** Tags that do not exist, or that the registry or a right keeps. */
      refused: z.number().int(),
      /** Tags whose registry could not be reached. */
      failed: z.number().int(),
      /** Why tags were refused or failed, with at most 20 of them each. */
      reasons: z.array(
        z.strictObject({ code: z.string(), count: z.number().int(), tags: z.array(z.string()) }),
      ),
    }),
  },
  faults: [
    {
      status: 403,
      codes: ['FOLDER_FORBIDDEN', 'PUSH_EXTERNAL_FORBIDDEN', ...EGRESS_CLOSED.codes],
    },
    { status: 404, codes: ['REGISTRY_UNKNOWN'] },
    { status: 409, codes: ['LOGIN_WITHHELD', 'REGISTRY_LOGIN_REFUSED'] },
    { status: 503, codes: [...REGISTRY_DOWN.codes, 'REGISTRY_COLLECTING'] },
  ],
} as const satisfies Operation;
