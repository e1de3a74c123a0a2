/** Comparing two images of a registry. */
import {
  CONFIGURATION_COMMANDS,
  CONFIGURATION_VALUES,
  FINDING_CHANGES,
  PACKAGE_CHANGES,
  SEVERITIES,
} from '@portcullis/domain';
import { z } from 'zod';
import { Time } from '../common.ts';
import { Platform, Repository, TagOrDigest } from '../grammar.ts';
import type { Operation } from '../operation.ts';
import { EGRESS_CLOSED, REGISTRY_DOWN, RegistryId } from '../operations/registries.ts';
import { SeverityCounts } from '../severity-counts.ts';

const count = z.number().int();

export const ComparedImage = z.strictObject({
  repository: z.string(),
  /** As it was asked for. */
  reference: z.string(),
  digest: z.string(),
  /** Null where the image names none. */
  platform: z.string().nullable(),
  /** Digest of the platform's manifest; that of the image unless it is an index. */
  manifest: z.string(),
  /** Of the platform, in bytes. */
  size: count,
  created: z.string().nullable(),
  /** Null where the image was not scanned. */
  report: z
    .strictObject({
      scanned_at: Time,
      /** Of the vulnerability database, as the scanner wrote it. */
      database_updated_at: z.string().nullable(),
      /** With `none`, nothing was judged, and findings are not compared. */
      coverage: z.enum(['full', 'partial', 'none']),
    })
    .nullable(),
  /** Whether the list of its packages is stored; `too_large` ones are not compared. */
  packages: z.enum(['listed', 'missing', 'too_large']),
});
export type ComparedImage = z.infer<typeof ComparedImage>;

const ComparedLayer = z.strictObject({
  digest: z.string(),
  size: count,
  created_by: z.string().nullable(),
});

const PackageChanges = z.strictObject({
  added: count,
  removed: count,
  upgraded: count,
  downgraded: count,
  unchanged: count,
  /** By name; the first 5000. */
  changes: z.array(
    z.strictObject({
      kind: z.enum(PACKAGE_CHANGES),
      /** An ecosystem or the family of an operating system. */
      type: z.string(),
      name: z.string(),
      from: z.string().nullable(),
      to: z.string().nullable(),
    }),
  ),
});

const FindingChanges = z.strictObject({
  new: SeverityCounts,
  fixed: SeverityCounts,
  same: SeverityCounts,
  /** The worst first; the first 5000. A vulnerability counts once. */
  changes: z.array(
    z.strictObject({
      kind: z.enum(FINDING_CHANGES),
      vulnerability: z.string(),
      severity: z.enum(SEVERITIES),
      title: z.string().nullable(),
      packages: z.array(
        z.strictObject({
          name: z.string(),
          /** The versions in each image. */
          from: z.array(z.string()),
          to: z.array(z.string()),
          fixed_version: z.string().nullable(),
        }),
      ),
    }),
  ),
});

export const ImageComparison = z.strictObject({
  from: ComparedImage,
  to: ComparedImage,
  /** That both images have; the first 64. */
  platforms: z.array(z.string()),
  layers: z.strictObject({
    shared: z.array(ComparedLayer),
    from: z.array(ComparedLayer),
    to: z.array(ComparedLayer),
  }),
  /** Null where either image has no list of packages. */
  packages: PackageChanges.nullable(),
  /** Null where either image was not judged. */
  findings: FindingChanges.nullable(),
  configuration: z.strictObject({
    values: z.array(
      z.strictObject({
        field: z.enum(CONFIGURATION_VALUES),
        /** Of the variable, label or port. */
        name: z.string().nullable(),
        from: z.string().nullable(),
        to: z.string().nullable(),
      }),
    ),
    commands: z.array(
      z.strictObject({
        field: z.enum(CONFIGURATION_COMMANDS),
        from: z.array(z.string()),
        to: z.array(z.string()),
      }),
    ),
  }),
});
export type ImageComparison = z.infer<typeof ImageComparison>;

export const compareImages = {
  method: 'get',
  path: '/images/{registry_id}/compare',
  summary:
    'Compare two images of a registry: packages, findings, layers, size and configuration; from stored reports alone',
  access: 'user',
  costly: true,
  token: ['pull'],
  params: z.strictObject({ registry_id: RegistryId }),
  query: z.strictObject({
    repository: Repository,
    from: TagOrDigest,
    /** Where `to` is; `repository` by default. */
    to_repository: Repository.optional(),
    to: TagOrDigest,
    /** Of indexes; by default one that both have. */
    platform: Platform.optional(),
  }),
  success: { status: 200, body: ImageComparison },
  faults: [
    {
      status: 403,
      codes: ['FOLDER_FORBIDDEN', 'PULL_EXTERNAL_FORBIDDEN', ...EGRESS_CLOSED.codes],
    },
    { status: 404, codes: ['REGISTRY_UNKNOWN', 'IMAGE_UNKNOWN', 'PLATFORM_UNKNOWN'] },
    { status: 409, codes: ['LOGIN_WITHHELD', 'REGISTRY_LOGIN_REFUSED', 'PLATFORM_ABSENT'] },
    { status: 503, codes: [...REGISTRY_DOWN.codes, 'REGISTRY_COLLECTING'] },
  ],
} as const satisfies Operation;
