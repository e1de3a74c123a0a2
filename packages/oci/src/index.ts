/**
 * Entry of the package: OCI names, manifests and `copy`. It imports nothing from Node and runs in
 * browsers too.
 */

export { contentOf, digestOf, readWhole } from './copy/buffered.ts';
export {
  assertPossessedByDigest,
  type ChunkDigests,
  chunkDigestsOf,
  isChunkDigests,
} from './copy/chunk-digests.ts';
export { forEachAtMost } from './copy/concurrency.ts';
export type * from './copy/content.ts';
export { type CopyOptions, type CopyResult, copy } from './copy/copy.ts';
export { withErrorSide } from './copy/error-side.ts';
export { type CopyPlan, planCopy } from './copy/plan-copy.ts';
export { assertPossessed, PART_BYTES } from './copy/possession.ts';
export type { CopyProgress, TransferMethod } from './copy/progress.ts';
export * from './copy/successors.ts';
export { unlessAborted } from './copy/unless-aborted.ts';
export {
  type BlobContent,
  HEAD_BYTES,
  holdsImageConfig,
  isUnscannedCompression,
  sniffContent,
} from './model/blob-content.ts';
export * from './model/descriptor.ts';
export * from './model/digest.ts';
export {
  type Index,
  MAX_MANIFEST_BYTES,
  type Manifest,
  type ManifestLimits,
  parseManifest,
} from './model/manifest.ts';
export * from './model/media-type.ts';
export * from './model/reference.ts';
export { foldedName, misspelled, parseStrictJson } from './model/strict-json.ts';
