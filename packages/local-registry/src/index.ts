export { type RegistryConfigOptions, registryConfig } from './config.ts';
export { type DescribeOptions, describeImage, type ManifestFacts } from './describe.ts';
export { type HealthOptions, isHealthy } from './health.ts';
export {
  createIndexKeeper,
  type ImageIndex,
  type IndexKeeper,
  type IndexKeeperPorts,
  type StoredManifest,
} from './keep-index.ts';
export { type Recorded, recorded } from './recorded.ts';
export { blobPath, blobsDir, repositoriesDir, repositoryDir } from './storage.ts';
