/** The registry language and its one mover. Nothing here needs Node: domain, contract and the web page use it too. */

export {
  type BlobContent,
  contentOfHead,
  HEAD_BYTES,
  holdsImageConfig,
  isForeignPacking,
} from './blob-content.ts';
export { contentOf, digestOf, readWhole } from './buffered.ts';
export { forEachAtMost } from './concurrency.ts';
export type * from './content.ts';
export { type CopyOptions, type CopyResult, copy } from './copy.ts';
export * from './descriptor.ts';
export * from './digest.ts';
export { MAX_DEPTH } from './graph.ts';
export { parseDescriptor } from './json.ts';
export {
  type Index,
  isVagueType,
  MAX_MANIFEST_BYTES,
  MAX_WIDTH,
  type Manifest,
  type ManifestLimits,
  parseManifest,
} from './manifest.ts';
export * from './media-type.ts';
export { CHOSEN_FROM } from './platform.ts';
export { assertPossessed, PART_BYTES } from './possession.ts';
export type { CopyProgress } from './progress.ts';
export * from './reference.ts';
export { onSide } from './side.ts';
export * from './successors.ts';
export { type Survey, survey } from './survey.ts';
export { foldedName, misspelled, parseUnambiguous } from './unambiguous.ts';
export { unlessAborted } from './unless-aborted.ts';
export { assertShown, isWitness, type Witness, witnessOf } from './witness.ts';
