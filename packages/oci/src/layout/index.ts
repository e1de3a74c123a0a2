export { type BlobCache, openBlobCache } from './blob-cache.ts';
export { type Layout, openLayout } from './layout.ts';
export { linkOrCopy } from './link-or-copy.ts';
export type { Pruned, PruneOptions } from './prune.ts';
