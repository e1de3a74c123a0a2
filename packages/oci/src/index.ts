/** The registry language and its one mover. Nothing here needs Node: domain, contract and the web page use it too. */
export type * from './content.ts';
export * from './descriptor.ts';
export * from './digest.ts';
export { parseDescriptor } from './json.ts';
export {
  type Index,
  MAX_MANIFEST_BYTES,
  MAX_WIDTH,
  type Manifest,
  type ManifestLimits,
  parseManifest,
} from './manifest.ts';
export * from './media-type.ts';
export * from './reference.ts';
export * from './successors.ts';
