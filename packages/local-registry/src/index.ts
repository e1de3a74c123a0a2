export { type RegistryConfigOptions, registryConfig } from './config.ts';
export { type HealthOptions, isHealthy } from './health.ts';
export { blobPath, blobsDir, repositoriesDir, repositoryDir } from './storage.ts';
