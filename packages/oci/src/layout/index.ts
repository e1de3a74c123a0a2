export { type BlobCache, type BlobCacheOptions, openBlobCache } from './blob-cache.ts';
export { type Layout, openLayout } from './layout.ts';
export { linkOrCopy } from './link-or-copy.ts';
export { isDead, ownIdentity, type ProcessIdentity } from './process-identity.ts';
export type { Pruned, PruneOptions } from './prune.ts';
export { type SpaceClaim, type SpaceClaims, withSpaceClaims } from './space.ts';
