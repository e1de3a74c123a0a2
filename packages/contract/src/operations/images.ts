import { ROOT_FOLDER, VERDICTS } from '@portcullis/domain';
import { isTag } from '@portcullis/oci';
import { z } from 'zod';
import { TAG_PAGING, Time, Uuid } from '../common.ts';
import { rule } from '../field-faults.ts';
import { Platform, Repository, Tag, TagOrDigest } from '../grammar.ts';
import type { Contract } from '../operation.ts';
import { SeverityCounts } from '../severity-counts.ts';
import { EGRESS_CLOSED, REGISTRY_DOWN, RegistryId } from './registries.ts';

export const ImageRepository = z.strictObject({
  name: z.string(),
  /** Of another registry it is null, as all that only an index of ours would know. */
  folder: z.string().nullable(),
  tag_count: z.number().int().nullable(),
  /** Each blob counted once. */
  size: z.number().int().nullable(),
  updated_at: Time.nullable(),
});
export type ImageRepository = z.infer<typeof ImageRepository>;

export const ImagePage = z.strictObject({
  items: z.array(ImageRepository),
  /** Of another registry: of those that were seen; it grows by one as long as there are more. */
  total: z.number().int(),
  page: z.number().int(),
  page_size: z.number().int(),
  total_pages: z.number().int(),
});
export type ImagePage = z.infer<typeof ImagePage>;

/** A folder, a path segment, a repository, or a repository that others are below. */
export const ImageTreeNode = z.strictObject({
  /** A folder's, or a segment. */
  name: z.string(),
  /** What asks for the level below it; of a repository, its name. */
  path: z.string(),
  is_repository: z.boolean(),
  /** Below it that the caller may read: itself isn't counted. */
  repositories: z.number().int(),
  /** Its own and of all below it. */
  tag_count: z.number().int(),
  /** Of its own and of all repositories below it, each with its blobs counted once. */
  size: z.number().int(),
  /** Null for an empty folder. */
  updated_at: Time.nullable(),
});
export type ImageTreeNode = z.infer<typeof ImageTreeNode>;

export const ImageTreeLevel = z.strictObject({
  items: z.array(ImageTreeNode),
  total: z.number().int(),
  page: z.number().int(),
  page_size: z.number().int(),
  total_pages: z.number().int(),
});
export type ImageTreeLevel = z.infer<typeof ImageTreeLevel>;

export const ImageTag = z.strictObject({
  tag: z.string(),
  digest: z.string(),
  /** With all that lies beneath; null where only reading it would tell. */
  size: z.number().int().nullable(),
  media_type: z.string(),
  platforms: z.array(z.string()),
  updated_at: Time.nullable(),
  /** Of the newest staging job of this digest that was judged. */
  verdict: z.enum(VERDICTS).nullable(),
});
export type ImageTag = z.infer<typeof ImageTag>;

/** What the newest staging job that judged a digest came to. */
export const ImageVerdict = z.strictObject({
  verdict: z.enum(VERDICTS),
  /** Null where there is no report. */
  counts: SeverityCounts.nullable(),
  at: Time,
  /** The job, with its findings; null where it isn't the caller's to read. */
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
  layers: z.array(
    z.strictObject({
      media_type: z.string(),
      digest: z.string(),
      size: z.number().int(),
      created_by: z.string().nullable(),
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
  /** Of the digest, all platforms of an index; null where no staging job judged it. */
  scan: ImageVerdict.nullable(),
});
export type ImageDetail = z.infer<typeof ImageDetail>;

export const RepositoryRemoval = z.strictObject({
  deleted: z.array(z.string()),
  failed: z.array(z.strictObject({ tag: z.string(), reason: z.string() })),
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
const DOWN = { status: 503, codes: [...REGISTRY_DOWN.codes, 'REGISTRY_COLLECTING'] };
const REFUSED = { status: 409, codes: ['REGISTRY_LOGIN_REFUSED'] };

export const images = {
  listImages: {
    method: 'get',
    path: '/images/{registry_id}',
    summary: 'Repositories the caller may read, by name',
    access: 'user',
    params: Params,
    query: z.strictObject({
      search: z.string().max(255).optional(),
      /** Of the built-in registry: only what this folder governs; `__root__` for what none does. */
      folder: z.string().min(1).max(128).optional(),
      ...PAGES,
    }),
    success: { status: 200, body: ImagePage },
    faults: [
      { status: 403, codes: ['PULL_EXTERNAL_FORBIDDEN', ...EGRESS_CLOSED.codes] },
      { status: 404, codes: NO_REGISTRY },
      { status: 409, codes: ['CATALOG_CLOSED', 'REGISTRY_LOGIN_REFUSED'] },
      DOWN,
    ],
  },
  listImageTree: {
    method: 'get',
    path: '/images/{registry_id}/tree',
    summary:
      'One level of the built-in registry as a tree: folders, path segments, repositories the caller may read',
    access: 'user',
    params: Params,
    query: z.strictObject({
      /**
       * What is below this path; `__root__` for what no folder governs; without it, the folders.
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
    summary: 'Delete a repository with all its tags',
    access: 'user',
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
    summary: 'Tags of a repository, newest first; of another registry, in its own order',
    access: 'user',
    params: Params,
    query: OfRepository.extend(TAG_PAGING),
    success: { status: 200, body: z.array(ImageTag) },
    faults: [
      MAY_READ,
      { status: 404, codes: [...NO_REGISTRY, 'REPOSITORY_UNKNOWN', 'CURSOR_UNKNOWN'] },
      REFUSED,
      DOWN,
    ],
  },
  getImage: {
    method: 'get',
    path: '/images/{registry_id}/tags/detail',
    summary: 'What an image is made of; of an index, one of its platforms',
    access: 'user',
    params: Params,
    query: OfRepository.extend({ tag: TagOrDigest, platform: Platform.optional() }),
    success: { status: 200, body: ImageDetail },
    faults: [
      MAY_READ,
      { status: 404, codes: [...NO_REGISTRY, 'IMAGE_UNKNOWN', 'PLATFORM_UNKNOWN'] },
      REFUSED,
      DOWN,
    ],
  },
  removeImageTag: {
    method: 'delete',
    path: '/images/{registry_id}/tags',
    summary: 'Delete a tag; others of the same digest stay',
    access: 'user',
    audit: 'image.tag_delete',
    params: Params,
    query: OfTag,
    success: { status: 204 },
    faults: [
      MAY_WRITE,
      { status: 404, codes: [...NO_REGISTRY, 'IMAGE_UNKNOWN'] },
      { status: 409, codes: ['DELETE_UNSUPPORTED', 'REGISTRY_LOGIN_REFUSED'] },
      DOWN,
    ],
  },
  retagImage: {
    method: 'post',
    path: '/images/{registry_id}/tags',
    summary: 'Give an image another tag in its repository',
    access: 'user',
    audit: 'image.retag',
    params: Params,
    query: OfRepository,
    body: z.strictObject({ source_tag: TagOrDigest, new_tag: Tag }),
    success: { status: 201, body: z.strictObject({ tag: z.string(), digest: z.string() }) },
    faults: [MAY_WRITE, { status: 404, codes: [...NO_REGISTRY, 'IMAGE_UNKNOWN'] }, REFUSED, DOWN],
  },
  copyImage: {
    method: 'post',
    path: '/images/copy',
    summary:
      'Copy within the built-in registry: blobs are mounted; signatures, SBOMs and attestations come along, attached images do not',
    access: 'user',
    audit: 'image.copy',
    body: z
      .strictObject({
        source_repository: Repository,
        source_tag: TagOrDigest,
        dest_repository: Repository,
        /** The source's unless given; needed where the source is a digest. */
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
        /** Digests of referrers that are images: each is copied by a request of its own. */
        referrers_left: z.array(z.string()),
      }),
    },
    faults: [
      { status: 403, codes: ['FOLDER_FORBIDDEN'] },
      { status: 404, codes: ['IMAGE_UNKNOWN'] },
      DOWN,
    ],
  },
} as const satisfies Contract;
