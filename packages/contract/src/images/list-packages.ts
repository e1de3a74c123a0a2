/** The packages of an image. */
import { PACKAGE_ORDERS } from '@portcullis/domain';
import { z } from 'zod';
import { PAGING } from '../common.ts';
import { Platform, Repository, TagOrDigest } from '../grammar.ts';
import type { Operation } from '../operation.ts';
import { EGRESS_CLOSED, REGISTRY_DOWN, RegistryId } from '../operations/registries.ts';

export const ImagePackage = z.strictObject({
  /** An ecosystem, as the scanner names it, or the family of the operating system. */
  type: z.string(),
  name: z.string(),
  version: z.string(),
  licenses: z.array(z.string()),
  /** Where it was found; null for what the package manager of the system lists. */
  path: z.string().nullable(),
  /** Digest of the layer that brought it. */
  layer: z.string(),
});
export type ImagePackage = z.infer<typeof ImagePackage>;

export const listImagePackages = {
  method: 'get',
  path: '/images/{registry_id}/tags/packages',
  summary:
    'The packages of an image from its stored scan, by name unless sorted; for an index, of one platform',
  access: 'user',
  costly: true,
  token: ['pull'],
  params: z.strictObject({ registry_id: RegistryId }),
  query: z.strictObject({
    repository: Repository,
    tag: TagOrDigest,
    platform: Platform.optional(),
    /** A part of the name in upper or lower case. */
    q: z.string().trim().max(255).optional(),
    /** Only those that the layer of this digest brought. */
    layer: z.string().max(255).optional(),
    /** A minus sign means descending. Equal packages are by name. */
    sort: z.enum(PACKAGE_ORDERS).default('name'),
    ...PAGING,
  }),
  success: { status: 200, body: z.array(ImagePackage) },
  faults: [
    {
      status: 403,
      codes: ['FOLDER_FORBIDDEN', 'PULL_EXTERNAL_FORBIDDEN', ...EGRESS_CLOSED.codes],
    },
    {
      status: 404,
      codes: ['REGISTRY_UNKNOWN', 'IMAGE_UNKNOWN', 'PLATFORM_UNKNOWN', 'REPORT_UNKNOWN'],
    },
    { status: 409, codes: ['LOGIN_WITHHELD', 'REGISTRY_LOGIN_REFUSED', 'PLATFORM_ABSENT'] },
    { status: 413, codes: ['PACKAGES_TOO_MANY'] },
    { status: 503, codes: [...REGISTRY_DOWN.codes, 'REGISTRY_COLLECTING'] },
  ],
} as const satisfies Operation;
