/**
 * Services and programs that run as child processes without root: PostgreSQL, Redis, the
 * distribution registry, and programs from Debian packages.
 */

export { consoleLine } from './console-line.ts';
export { exists, isExecutable } from './fs.ts';
export {
  acquireBinary,
  type Binary,
  type BinaryOptions,
  findOnPath,
  type Program,
  REDIS,
  REGISTRY,
  SKOPEO,
} from './programs/binary.ts';
export { type CacheEnv, cacheDir, fillOnce } from './programs/cache.ts';
export { acquireGo, type GoOptions, isRecentGo } from './programs/go.ts';
export { type Progress, withProgress } from './programs/progress.ts';
export { run } from './programs/run.ts';
export { endLeftovers, forgetProcess, recordProcess } from './services/leftovers.ts';
export { freePort, isFree } from './services/port.ts';
export { DATABASE, type PostgresOptions, startPostgresServer } from './services/postgres.ts';
export {
  type RedisOptions,
  type RunningServer,
  redisConfig,
  startRedisServer,
} from './services/redis.ts';
export {
  type RegistryServerOptions,
  registryStorageDir,
  startRegistryServer,
} from './services/registry.ts';
export {
  describeExit,
  type Exit,
  type Service,
  type ServiceHooks,
  type ServiceOptions,
  type Spawned,
  signalGroup,
  startService,
  untilReady,
} from './services/service.ts';
export {
  ensureServiceSecrets,
  readServiceSecrets,
  type ServiceSecrets,
  type StoredSecrets,
} from './services/service-secrets.ts';
export {
  type EmbeddedPlace,
  type EmbeddedService,
  planServices,
  SERVICE_NAMES,
  type ServiceName,
  serviceUrls,
} from './services/services.ts';
export { closeSockets, findSockets, openSockets, socketPaths } from './services/sockets.ts';
export { standalonePaths } from './standalone-paths.ts';
