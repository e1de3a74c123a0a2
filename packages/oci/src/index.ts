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
export { forEachAtMost, unlessAborted } from './copy/concurrency.ts';
export type * from './copy/content.ts';
export { type CopyOptions, type CopyResult, copy } from './copy/copy.ts';
export { withErrorSide } from './copy/error-side.ts';
export { type CopyPlan, planCopy } from './copy/plan-copy.ts';
export { assertPossessed, PART_BYTES } from './copy/possession.ts';
export type { CopyProgress, TransferMethod } from './copy/progress.ts';
export { successors } from './copy/successors.ts';
export { wrapTarget } from './copy/wrap-target.ts';
export { foldedName, misspelled } from './json/member-names.ts';
export { parseJson, parseStrictJson } from './json/parse-json.ts';
export { inSlices, type Steps } from './json/slices.ts';
export { sortedSteps } from './json/sorted-steps.ts';
export {
  type BlobContent,
  HEAD_BYTES,
  holdsImageConfig,
  isUnscannedCompression,
  sniffContent,
} from './model/blob-content.ts';
export { type Descriptor, type Platform, platformName } from './model/descriptor.ts';
export { algorithmOf, type Digest, encodedOf, isDigest, parseDigest } from './model/digest.ts';
export {
  artifactTypeOf,
  assertSize,
  type Index,
  limitManifestChildren,
  MAX_MANIFEST_BYTES,
  MAX_MANIFEST_CHILDREN,
  type Manifest,
  type ManifestLimits,
  parseManifest,
} from './model/manifest.ts';
export {
  DOCKER_INDEX,
  DOCKER_MANIFEST,
  essenceOf,
  isImageConfigType,
  isIndexType,
  isManifestType,
  isNonDistributable,
  isSociIndex,
  MANIFEST_MEDIA_TYPES,
  OCI_CONFIG,
  OCI_EMPTY,
  OCI_INDEX,
  OCI_MANIFEST,
} from './model/media-type.ts';
export { leftForPlatforms, PLATFORM_NAME } from './model/platform.ts';
export {
  DOCKER_HUB_HOST,
  dockerHubRepository,
  formatImage,
  type Host,
  type Image,
  type ImagePath,
  isRepository,
  isTag,
  parseHost,
  parseImage,
  parseImageName,
  parseReference,
  parseRepository,
  parseTag,
  registryHost,
} from './model/reference.ts';
export { isReferrersTag, listedReferrers, referrersTag } from './model/referrers-tag.ts';
export { isRunnable } from './model/runnable.ts';
