/** Declares the images of the built-in registry and of saved ones. */
import { REPOSITORY_ORDERS, ROOT_FOLDER, TAG_ORDERS, VERDICTS } from '@portcullis/domain';
import { ABSENT_PLATFORM_STATES, MIRROR_ABSENCES } from '@portcullis/domain/mirror';
import { TAG_STANDINGS } from '@portcullis/domain/tag-standing';
import { isTag } from '@portcullis/oci';
import { z } from 'zod';
import { numberedPage, TAG_PAGING, Time, Uuid } from '../common.ts';
import { rule } from '../field-faults.ts';
import { ExplainedImage } from '../gate-decision.ts';
import { Platform, Repository, Tag, TagOrDigest } from '../grammar.ts';
import { compareImages } from '../images/compare-images.ts';
import { findImageTag } from '../images/find-tag.ts';
import { listImagePackages } from '../images/list-packages.ts';
import { listImageStatements } from '../images/list-statements.ts';
import { removeImageTags } from '../images/remove-tags.ts';
import type { Contract } from '../operation.ts';
import { SeverityCounts } from '../severity-counts.ts';
import { StandingView } from '../staging/standing-view.ts';
import { EGRESS_CLOSED, REGISTRY_DOWN, RegistryId } from './registries.ts';

export const ImageRepository = z.strictObject({
  name: z.string(),
  /** Null for another registry, as is everything that only our index knows. */
  folder: z.string().nullable(),
  tag_count: z.number().int().nullable(),
  /** Each blob counts once. */
  size: z.number().int().nullable(),
  updated_at: Time.nullable(),
});
export type ImageRepository = z.infer<typeof ImageRepository>;

/**
 * `total` of another registry: the number of items seen so far, plus one as long as there are more.
 */
export const ImagePage = numberedPage(ImageRepository);
export type ImagePage = z.infer<typeof ImagePage>;

/** A folder, a path segment, a repository, or a repository with others below it. */
export const ImageTreeNode = z.strictObject({
  /** The name of the folder or the segment. */
  name: z.string(),
  /** Requests the level below; for a repository, its name. */
  path: z.string(),
  is_repository: z.boolean(),
  /** The number of repositories below it that the caller may read, without itself. */
  repositories: z.number().int(),
  /** Tags of itself and of all repositories below it. */
  tag_count: z.number().int(),
  /**
   * The sum over itself and all repositories below it; within a repository each blob counts once.
   */
  size: z.number().int(),
  /** Null for an empty folder. */
  updated_at: Time.nullable(),
});
export type ImageTreeNode = z.infer<typeof ImageTreeNode>;

export const ImageTreeLevel = numberedPage(ImageTreeNode);
export type ImageTreeLevel = z.infer<typeof ImageTreeLevel>;

/** Whether an image passes the policy of its folder now, and why. */
export const TagStanding = StandingView.extend({
  /** Null while no scan says more. */
  passes: z.boolean().nullable(),
  /** The first three vulnerabilities that block it, each with one of its packages. */
  blocking: z.array(z.strictObject({ vulnerability: z.string(), package: z.string() })),
  /** Of its newest report; null without one. */
  scanned_at: Time.nullable(),
  /** Since when `passes` is what it is; null until the change is announced. */
  since: Time.nullable(),
  /** Until when it is still served although it is blocked. */
  grace_until: Time.nullable(),
});
export type TagStanding = z.infer<typeof TagStanding>;

export const ImageTag = z.strictObject({
  tag: z.string(),
  digest: z.string(),
  /** With everything it refers to; null where only fetching it would show the size. */
  size: z.number().int().nullable(),
  media_type: z.string(),
  platforms: z.array(z.string()),
  updated_at: Time.nullable(),
  /** The verdict of the newest staging job of this digest that has one. */
  verdict: z.enum(VERDICTS).nullable(),
  /** Null for saved registries. */
  standing: TagStanding.nullable(),
  /** Its folder lets it be neither moved nor deleted; false for saved registries. */
  immutable: z.boolean(),
  /** The newest push of a job into this repository that bypassed the gate. */
  bypassed: z.strictObject({ by: z.string(), at: Time }).nullable(),
});
export type ImageTag = z.infer<typeof ImageTag>;

/** The result of the newest staging job of a digest that has a verdict. */
export const ImageVerdict = z.strictObject({
  verdict: z.enum(VERDICTS),
  /** Null where there is no report. */
  counts: SeverityCounts.nullable(),
  at: Time,
  /** The job with the findings; null where the caller may not read it. */
  job_id: Uuid.nullable(),
});
export type ImageVerdict = z.infer<typeof ImageVerdict>;

export const ImageDetail = z.strictObject({
  name: z.string(),
  tag: z.string(),
  digest: z.string(),
  media_type: z.string(),
  size: z.number().int(),
  created: z.string().nullable(),
  platforms: z.array(
    z.strictObject({
      os: z.string(),
      architecture: z.string(),
      variant: z.string().nullable(),
      digest: z.string(),
      size: z.number().int(),
    }),
  ),
  /**
   * Platforms that the index lists and the registry does not have: nothing is said about them.
   * Under a mirror the first pull of one brings it in.
   */
  absent_platforms: z.array(
    z.strictObject({
      os: z.string(),
      architecture: z.string(),
      variant: z.string().nullable(),
      digest: z.string(),
      /**
       * `absent`: it was not brought in. `coming`: a job brings it in. `refused`: the policy blocks
       * it. `failed`: its job failed.
       */
      state: z.enum(ABSENT_PLATFORM_STATES),
      /** Why it was refused, or failed. */
      error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
  layers: z.array(
    z.strictObject({
      media_type: z.string(),
      digest: z.string(),
      size: z.number().int(),
      created_by: z.string().nullable(),
      /**
       * Vulnerabilities of the packages that it brought, each counted once under the worst severity
       * of those packages; null without a report.
       */
      findings: SeverityCounts.nullable(),
    }),
  ),
  labels: z.record(z.string(), z.string()),
  env: z.array(z.string()),
  cmd: z.array(z.string()),
  entrypoint: z.array(z.string()),
  exposed_ports: z.array(z.string()),
  user: z.string().nullable(),
  working_dir: z.string().nullable(),
  referrers: z.array(
    z.strictObject({
      digest: z.string(),
      media_type: z.string(),
      artifact_type: z.string().nullable(),
      size: z.number().int(),
    }),
  ),
  /**
   * The scan of the digest, for an index of all its platforms; null where no staging job has a
   * verdict.
   */
  scan: ImageVerdict.nullable(),
  /** The newest push of the digest into this repository that bypassed the gate. */
  bypass: z
    .strictObject({
      by: z.string(),
      at: Time,
      reason: z.string().nullable(),
      /** The code that would have refused it. */
      code: z.string(),
    })
    .nullable(),
});
export type ImageDetail = z.infer<typeof ImageDetail>;

export const RepositoryRemoval = z.strictObject({
  deleted: z.array(z.string()),
  /** Tags that remain: the code of the fault, and its English message. */
  failed: z.array(z.strictObject({ tag: z.string(), code: z.string(), reason: z.string() })),
});
export type RepositoryRemoval = z.infer<typeof RepositoryRemoval>;

const Params = z.strictObject({ registry_id: RegistryId });
const OfRepository = z.strictObject({ repository: Repository });
const OfTag = z.strictObject({ repository: Repository, tag: Tag });

const PAGES = {
  page: z.coerce.number().int().min(1).max(10_000).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(50),
};

const NO_REGISTRY = ['REGISTRY_UNKNOWN'];
const MAY_READ = {
  status: 403,
  codes: ['FOLDER_FORBIDDEN', 'PULL_EXTERNAL_FORBIDDEN', ...EGRESS_CLOSED.codes],
};
const MAY_WRITE = {
  status: 403,
  codes: ['FOLDER_FORBIDDEN', 'PUSH_EXTERNAL_FORBIDDEN', ...EGRESS_CLOSED.codes],
};
/** The pull gate of the source, or the policy of an enforcing destination. */
const BLOCKED = [
  'VULN_BLOCKED',
  'SCAN_REQUIRED',
  'DATABASE_TOO_OLD',
  'ARTIFACT_BLOCKED',
  'SIGNATURE_MISSING',
  'SIGNATURES_NOT_VERIFIED',
  'TOO_YOUNG',
];
const DOWN = { status: 503, codes: [...REGISTRY_DOWN.codes, 'REGISTRY_COLLECTING'] };
const REFUSED = { status: 409, codes: ['LOGIN_WITHHELD', 'REGISTRY_LOGIN_REFUSED'] };

export const images = {
  listImages: {
    method: 'get',
    path: '/images/{registry_id}',
    summary: 'Repositories the caller may read, by name unless sorted',
    access: 'user',
    token: ['pull'],
    params: Params,
    query: z.strictObject({
      search: z.string().max(255).optional(),
      /**
       * Built-in registry only: the repositories that this folder governs; `__root__` for those of
       * no folder.
       */
      folder: z.string().min(1).max(128).optional(),
      /**
       * Built-in registry only; another registry has its own order. A minus sign means descending.
       * Equal repositories are by name.
       */
      sort: z.enum(REPOSITORY_ORDERS).default('name'),
      ...PAGES,
    }),
    success: { status: 200, body: ImagePage },
    faults: [
      { status: 403, codes: ['PULL_EXTERNAL_FORBIDDEN', ...EGRESS_CLOSED.codes] },
      { status: 404, codes: NO_REGISTRY },
      { status: 409, codes: ['CATALOG_CLOSED', 'LOGIN_WITHHELD', 'REGISTRY_LOGIN_REFUSED'] },
      DOWN,
    ],
  },
  listImageTree: {
    method: 'get',
    path: '/images/{registry_id}/tree',
    summary:
      'One level of the built-in registry as a tree: folders, path segments and repositories that the caller may read',
    access: 'user',
    token: ['pull'],
    params: Params,
    query: z.strictObject({
      /**
       * Lists what is below this path; `__root__` for repositories of no folder; without it, the
       * folders.
       */
      path: z.union([z.literal(ROOT_FOLDER), Repository]).optional(),
      ...PAGES,
    }),
    success: { status: 200, body: ImageTreeLevel },
    faults: [
      { status: 404, codes: NO_REGISTRY },
      { status: 409, codes: ['REGISTRY_NOT_INDEXED'] },
      DOWN,
    ],
  },
  removeRepository: {
    method: 'delete',
    path: '/images/{registry_id}',
    summary:
      'Delete a repository with all its tags, except immutable ones, which are named in `failed`',
    access: 'user',
    token: ['delete'],
    audit: 'image.repository_delete',
    params: Params,
    query: OfRepository,
    success: { status: 200, body: RepositoryRemoval },
    faults: [
      MAY_WRITE,
      { status: 404, codes: [...NO_REGISTRY, 'REPOSITORY_UNKNOWN'] },
      REFUSED,
      DOWN,
    ],
  },
  listImageTags: {
    method: 'get',
    path: '/images/{registry_id}/tags',
    summary: 'Tags of a repository, newest first unless sorted; for another registry, in its order',
    access: 'user',
    token: ['pull'],
    params: Params,
    query: OfRepository.extend({
      ...TAG_PAGING,
      standing: z
        .enum(TAG_STANDINGS)
        .optional()
        .describe(
          'Built-in registry only: how the tagged image stood under the policy of its folder when that was announced last, within seconds of a change. Each tag is in one group: `blocked` does not pass; `waived` passes only because of waivers; `findings`, `clean` and `unscannable` pass with that verdict; no scan says anything about `unscanned`; `artifact` is no image.',
        ),
      /**
       * Built-in registry only. A minus sign means descending, and `standing` the most urgent
       * first. Equal tags are by name.
       */
      sort: z.enum(TAG_ORDERS).default('-updated_at'),
    }),
    success: { status: 200, body: z.array(ImageTag) },
    faults: [
      MAY_READ,
      { status: 404, codes: [...NO_REGISTRY, 'REPOSITORY_UNKNOWN', 'CURSOR_UNKNOWN'] },
      { status: 409, codes: [...REFUSED.codes, 'REGISTRY_NOT_INDEXED'] },
      DOWN,
    ],
  },
  getImage: {
    method: 'get',
    path: '/images/{registry_id}/tags/detail',
    summary: 'The contents of an image; for an index, of one of its platforms',
    access: 'user',
    costly: true,
    token: ['pull'],
    params: Params,
    query: OfRepository.extend({ tag: TagOrDigest, platform: Platform.optional() }),
    success: { status: 200, body: ImageDetail },
    faults: [
      MAY_READ,
      {
        status: 404,
        codes: [...NO_REGISTRY, 'IMAGE_UNKNOWN', ...MIRROR_ABSENCES, 'PLATFORM_UNKNOWN'],
      },
      { status: 409, codes: [...REFUSED.codes, 'PLATFORM_ABSENT'] },
      DOWN,
    ],
  },
  getImageStanding: {
    method: 'get',
    path: '/images/{registry_id}/standing',
    summary: 'What the pull gate would decide for the caller now, and why; built-in registry only',
    access: 'user',
    costly: true,
    token: ['pull'],
    params: Params,
    query: OfRepository.extend({ reference: TagOrDigest }),
    success: { status: 200, body: ExplainedImage },
    faults: [
      MAY_READ,
      { status: 404, codes: [...NO_REGISTRY, 'IMAGE_UNKNOWN', ...MIRROR_ABSENCES] },
      REFUSED,
      DOWN,
    ],
  },
  findImageTag,
  compareImages,
  listImagePackages,
  listImageStatements,
  removeImageTag: {
    method: 'delete',
    path: '/images/{registry_id}/tags',
    summary: 'Delete a tag; other tags of the same digest remain',
    access: 'user',
    token: ['delete'],
    audit: 'image.tag_delete',
    params: Params,
    query: OfTag,
    success: { status: 204 },
    faults: [
      MAY_WRITE,
      { status: 404, codes: [...NO_REGISTRY, 'IMAGE_UNKNOWN'] },
      {
        status: 409,
        codes: ['DELETE_UNSUPPORTED', 'LOGIN_WITHHELD', 'REGISTRY_LOGIN_REFUSED', 'TAG_IMMUTABLE'],
      },
      DOWN,
    ],
  },
  removeImageTags,
  retagImage: {
    method: 'post',
    path: '/images/{registry_id}/tags',
    summary: 'Add a tag to an image in its repository',
    access: 'user',
    token: ['push'],
    audit: 'image.retag',
    params: Params,
    query: OfRepository,
    body: z.strictObject({ source_tag: TagOrDigest, new_tag: Tag }),
    success: { status: 201, body: z.strictObject({ tag: z.string(), digest: z.string() }) },
    faults: [
      { status: 403, codes: [...MAY_WRITE.codes, 'MIRROR_READ_ONLY', ...BLOCKED] },
      { status: 404, codes: [...NO_REGISTRY, 'IMAGE_UNKNOWN'] },
      { status: 409, codes: [...REFUSED.codes, 'TAG_IMMUTABLE', 'QUOTA_EXCEEDED'] },
      DOWN,
    ],
  },
  copyImage: {
    method: 'post',
    path: '/images/copy',
    summary:
      'Copy within the built-in registry: blobs are mounted; signatures, SBOMs and attestations are copied too, attached images are not',
    access: 'user',
    token: ['push'],
    audit: 'image.copy',
    body: z
      .strictObject({
        source_repository: Repository,
        source_tag: TagOrDigest,
        dest_repository: Repository,
        /** The tag of the source by default; required if the source is a digest. */
        dest_tag: Tag.optional(),
      })
      .refine(
        ({ source_tag, dest_tag }) => dest_tag !== undefined || isTag(source_tag),
        rule('TAG_REQUIRED', 'A source_tag that is a digest needs a dest_tag.', ['dest_tag']),
      ),
    success: {
      status: 201,
      body: z.strictObject({
        digest: z.string(),
        /** Digests of referrers that are images: each needs a separate copy request. */
        referrers_left: z.array(z.string()),
      }),
    },
    faults: [
      { status: 403, codes: ['FOLDER_FORBIDDEN', 'MIRROR_READ_ONLY', ...BLOCKED] },
      { status: 404, codes: ['IMAGE_UNKNOWN'] },
      { status: 409, codes: ['TAG_IMMUTABLE', 'QUOTA_EXCEEDED', 'PLATFORM_ABSENT'] },
      DOWN,
    ],
  },
} as const satisfies Contract;
