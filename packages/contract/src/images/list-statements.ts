/** What this installation states about an image. */
import { LEFT_OUT, STATEMENT_KINDS } from '@portcullis/domain';
import { z } from 'zod';
import { Time } from '../common.ts';
import { Repository, TagOrDigest } from '../grammar.ts';
import type { Operation } from '../operation.ts';
import { EGRESS_CLOSED, REGISTRY_DOWN, RegistryId } from '../operations/registries.ts';

const ImageStatement = z.strictObject({
  kind: z.enum(STATEMENT_KINDS),
  predicate_type: z.string(),
  /** The push of a promotion; null for the other kinds. */
  about: z.string().nullable(),
  /** Of the manifest that refers to the image; null where none is in force. */
  digest: z.string().nullable(),
  key_id: z.string().nullable(),
  /** Of one that is left out: when that was noticed. */
  signed_at: Time.nullable(),
  /** Why it is not there, although the folder asks for it. */
  left_out: z.enum(LEFT_OUT).nullable(),
  /** Why the newest try failed; it is tried again. */
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
});

export const ImageStatements = z.strictObject({
  /** Of the image. */
  digest: z.string(),
  statements: z.array(ImageStatement),
});
export type ImageStatements = z.infer<typeof ImageStatements>;

export const listImageStatements = {
  method: 'get',
  path: '/images/{registry_id}/statements',
  summary:
    'The signed statements about an image, and those that are left out; built-in registry only',
  access: 'user',
  token: ['pull'],
  params: z.strictObject({ registry_id: RegistryId }),
  query: z.strictObject({ repository: Repository, reference: TagOrDigest }),
  success: { status: 200, body: ImageStatements },
  faults: [
    {
      status: 403,
      codes: ['FOLDER_FORBIDDEN', 'PULL_EXTERNAL_FORBIDDEN', ...EGRESS_CLOSED.codes],
    },
    { status: 404, codes: ['REGISTRY_UNKNOWN', 'IMAGE_UNKNOWN'] },
    { status: 409, codes: ['LOGIN_WITHHELD', 'REGISTRY_LOGIN_REFUSED'] },
    { status: 503, codes: [...REGISTRY_DOWN.codes, 'REGISTRY_COLLECTING'] },
  ],
} as const satisfies Operation;
