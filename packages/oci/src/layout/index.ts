export { type BlobCache, type BlobCacheOptions, openBlobCache } from './blob-cache.ts';
export { fillBlob } from './blob-writer.ts';
export { type Layout, openLayout } from './layout.ts';
export { linkOrCopy } from './link-or-copy.ts';

export { type ByteSealer, createSealer, createSealKey, isSameSeal } from './seal.ts';
export { type SpaceClaim, type SpaceClaims, withSpaceClaims } from './space.ts';
