export {
  basicAuthorization,
  parseRegistryUrl,
  type RegistryAddress,
  registryAgent,
  registrySocket,
  registrySocketUrl,
  SOCKET_HOST,
} from './address.ts';
export { type Collected, type CollectOptions, collectGarbage } from './collect-garbage.ts';
export { type RegistryConfigOptions, type RegistryStorage, registryConfig } from './config.ts';
export { type DescribeOptions, describeImage, type ManifestFacts } from './describe.ts';
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
export { blobPath, blobsDir, repositoriesDir, repositoryDir } from './storage.ts';
export { blobFiles, repositoriesIn, unreachable } from './stored-manifests.ts';
export {
  type ClosedGate,
  type CollectorGate,
  createCollectorGate,
  createWriteGate,
  isCollecting,
  type WriteGate,
} from './write-gate.ts';
