export {
  basicAuthorization,
  parseRegistryUrl,
  type RegistryAddress,
  registryAgent,
  registrySocket,
  registrySocketUrl,
} from './address.ts';

export {
  createIndexKeeper,
  type IndexKeeper,
} from './catalog/index-keeper.ts';
export { indexedTarget } from './catalog/indexed-target.ts';
export { repositoriesIn, unreachable } from './catalog/stored-manifests.ts';
export { createTagRemoval, type TagRemoval } from './catalog/tag-removal.ts';
export { createQuotaClaims } from './claims/quota-claims.ts';
export { createTagClaims } from './claims/tag-claims.ts';
export { CLIENT_IDENTITY, REDUCED_FROM } from './client-identity.ts';
export { type RegistryConfigOptions, type RegistryStorage, registryConfig } from './config.ts';
export { collectGarbage } from './garbage/collect-garbage.ts';
export type { Collected, Collection } from './garbage/collection.ts';
export {
  type CollectorLock,
  createCollectorLock,
  type ExclusiveLock,
} from './garbage/collector-lock.ts';
export { guardedTarget } from './garbage/guarded-target.ts';
export { sweepBucket } from './garbage/sweep-bucket.ts';
export { sweepDirectory } from './garbage/sweep-directory.ts';
export { createWriteLock, isCollecting, type WriteLock } from './garbage/write-lock.ts';
export { isHealthy } from './health.ts';
export { findProgram, noteProgram } from './program.ts';
export { openBlobPlacement } from './storage/blob-placement.ts';
export { type BucketOptions, openBucket } from './storage/bucket.ts';
export { bucketFiles } from './storage/bucket-files.ts';
export { directoryFiles } from './storage/directory-files.ts';
export { type LivePlacement, linkedTarget, livePlacement } from './storage/linked-target.ts';
export { isOfThisMachine } from './storage/local-disk.ts';
export type { S3Credentials } from './storage/shared-credentials.ts';
export { parseSharedCredentials } from './storage/shared-credentials.ts';
export { OWN_ENTRY } from './storage/storage.ts';
export type { StorageFiles } from './storage/storage-files.ts';
export { type StoredContent, storedContent } from './storage/stored-content.ts';
export {
  type ClaimedUpload,
  type Committed,
  isStoredUpload,
  type StoredUploads,
  storedUploads,
} from './storage/stored-uploads.ts';
export { storingTarget } from './storage/storing-target.ts';
export { LEFT_TO_REGISTRY, logStorageUse, storageUse } from './storage-use.ts';
