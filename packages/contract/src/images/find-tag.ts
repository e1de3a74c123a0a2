/** `GET /images/{registry_id}/tags/digest`: whether a tag exists, before it is written. */
import { z } from 'zod';
import { Repository, Tag } from '../grammar.ts';
import type { Operation } from '../operation.ts';
import { EGRESS_CLOSED, REGISTRY_DOWN, RegistryId } from '../operations/registries.ts';

export const findImageTag = {
  method: 'get',
  path: '/images/{registry_id}/tags/digest',
  summary: 'The digest of a tag; null where the repository or the tag does not exist',
  access: 'user',
  token: ['pull'],
  params: z.strictObject({ registry_id: RegistryId }),
  query: z.strictObject({ repository: Repository, tag: Tag }),
  success: { status: 200, body: z.strictObject({ digest: z.string().nullable() }) },
  faults: [
    {
      status: 403,
      codes: ['FOLDER_FORBIDDEN', 'PULL_EXTERNAL_FORBIDDEN', ...EGRESS_CLOSED.codes],
    },
    { status: 404, codes: ['REGISTRY_UNKNOWN'] },
    { status: 409, codes: ['LOGIN_WITHHELD', 'REGISTRY_LOGIN_REFUSED'] },
    { status: 503, codes: [...REGISTRY_DOWN.codes, 'REGISTRY_COLLECTING'] },
  ],
} as const satisfies Operation;
