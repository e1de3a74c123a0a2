export {
  basicAuthorization,
  parseRegistryUrl,
  type RegistryAddress,
  registryAgent,
  registrySocket,
  registrySocketUrl,
  SOCKET_HOST,
} from './address.ts';
export { type DescribeOptions, describeImage, type ManifestFacts } from './catalog/describe.ts';
export {
  createIndexKeeper,
  type ImageIndex,
  type IndexKeeper,
  type IndexKeeperPorts,
  type StoredManifest,
} from './catalog/index-keeper.ts';
export { type IndexedTarget, indexedTarget } from './catalog/indexed-target.ts';
export { repositoriesIn, unreachable } from './catalog/stored-manifests.ts';
export { type RegistryConfigOptions, type RegistryStorage, registryConfig } from './config.ts';
export { type CollectOptions, collectGarbage } from './garbage/collect-garbage.ts';
export type { Collected, Collection } from './garbage/collection.ts';
export { type GuardedTarget, guardedTarget } from './garbage/guarded-target.ts';
export { type BucketCollection, sweepBucket } from './garbage/sweep-bucket.ts';
export {
  type CollectorLock,
  createCollectorLock,
  createWriteLock,
  type ExclusiveLock,
  isCollecting,
  type WriteLock,
} from './garbage/write-lock.ts';
export { type HealthOptions, isHealthy } from './health.ts';
export { findProgram, noteProgram, type RegistryProgram } from './program.ts';
export { type Bucket, type BucketOptions, openBucket } from './storage/bucket.ts';
export { type BucketFiles, bucketFiles } from './storage/bucket-files.ts';
export { directoryFiles } from './storage/directory-files.ts';
export { parseSharedCredentials, type S3Credentials } from './storage/shared-credentials.ts';
export { blobPath, blobsDir, repositoriesDir, repositoryDir } from './storage/storage.ts';
export type { StorageFiles } from './storage/storage-files.ts';
