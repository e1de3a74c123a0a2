/** The registry language and its one mover. Nothing here needs Node: domain, contract and the web page use it too. */

export { contentOf, digestOf, readWhole } from './copy/buffered.ts';
export { forEachAtMost } from './copy/concurrency.ts';
export type * from './copy/content.ts';
export { type CopyOptions, type CopyResult, copy } from './copy/copy.ts';
export { MAX_DEPTH } from './copy/graph.ts';
export { assertPossessed, PART_BYTES } from './copy/possession.ts';
export type { CopyProgress } from './copy/progress.ts';
export { onSide } from './copy/side.ts';
export * from './copy/successors.ts';
export { type Survey, survey } from './copy/survey.ts';
export { unlessAborted } from './copy/unless-aborted.ts';
export { assertShown, isWitness, type Witness, witnessOf } from './copy/witness.ts';
export {
  type BlobContent,
  contentOfHead,
  HEAD_BYTES,
  holdsImageConfig,
  isForeignPacking,
} from './model/blob-content.ts';
export * from './model/descriptor.ts';
export * from './model/digest.ts';
export { parseDescriptor } from './model/json.ts';
export {
  type Index,
  isVagueType,
  MAX_MANIFEST_BYTES,
  MAX_WIDTH,
  type Manifest,
  type ManifestLimits,
  parseManifest,
} from './model/manifest.ts';
export * from './model/media-type.ts';
export { CHOSEN_FROM } from './model/platform.ts';
export * from './model/reference.ts';
export { foldedName, misspelled, parseUnambiguous } from './model/strict-json.ts';
