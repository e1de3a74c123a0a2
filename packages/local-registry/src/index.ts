export {
  basicAuthorization,
  parseRegistryUrl,
  type RegistryAddress,
  registryAgent,
  registrySocket,
  registrySocketUrl,
  SOCKET_HOST,
} from './address.ts';
export { type Bucket, type BucketOptions, openBucket } from './bucket.ts';
export { type BucketFiles, bucketFiles } from './bucket-files.ts';
export { type CollectOptions, collectGarbage } from './collect-garbage.ts';
export type { Collected, Collection } from './collection.ts';
export { type RegistryConfigOptions, type RegistryStorage, registryConfig } from './config.ts';
export { type DescribeOptions, describeImage, type ManifestFacts } from './describe.ts';
export { directoryFiles } from './directory-files.ts';
export { type Gated, gated } from './gated.ts';
export { type HealthOptions, isHealthy } from './health.ts';
export {
  createIndexKeeper,
  type ImageIndex,
  type IndexKeeper,
  type IndexKeeperPorts,
  type StoredManifest,
} from './keep-index.ts';
export { findProgram, noteProgram, type RegistryProgram } from './program.ts';
export { type Recorded, recorded } from './recorded.ts';
export { parseSharedCredentials, type S3Credentials } from './shared-credentials.ts';
export { blobPath, blobsDir, repositoriesDir, repositoryDir } from './storage.ts';
export type { StorageFiles } from './storage-files.ts';
export { repositoriesIn, unreachable } from './stored-manifests.ts';
export { type BucketCollection, sweepBucket } from './sweep-bucket.ts';
export {
  type ClosedGate,
  type CollectorGate,
  createCollectorGate,
  createWriteGate,
  isCollecting,
  type WriteGate,
} from './write-gate.ts';
