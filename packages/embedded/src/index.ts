/** Services that run as child processes of ours: PostgreSQL, Redis, and what Debian packages hold. No root needed. */
export {
  acquireBinary,
  type Binary,
  type BinaryOptions,
  findOnPath,
  type Program,
  REDIS,
  REGISTRY,
  SKOPEO,
} from './binary.ts';
export { type CacheEnv, cacheDir, fillOnce } from './cache.ts';
export { consoleLine } from './console-line.ts';
export { exists, isExecutable } from './fs.ts';
export { acquireGo, type GoOptions, isRecentGo } from './go.ts';
export { identityOf, isAlive, pidOf } from './identity.ts';
export { endLeftovers, forgetProcess, recordProcess } from './leftovers.ts';
export { type Lock, type LockAttempt, tryLock, withLock } from './lock.ts';
export { freePort, isFree } from './port.ts';
export { DATABASE, type PostgresOptions, startPostgresServer } from './postgres.ts';
export { type Progress, withProgress } from './progress.ts';
export { type RedisOptions, type RunningServer, redisConfig, startRedisServer } from './redis.ts';
export { type RegistryServerOptions, registryStorageDir, startRegistryServer } from './registry.ts';
export { type Remembered, type RememberedBefore, readRemembered, remember } from './remembered.ts';
export { run } from './run.ts';
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
} from './service.ts';
export {
  type EmbeddedPlace,
  type EmbeddedService,
  planServices,
  SERVICE_NAMES,
  type ServiceName,
  serviceUrls,
} from './services.ts';
export { closeSockets, findSockets, openSockets, socketPaths } from './sockets.ts';
export { standalonePaths } from './standalone-paths.ts';
