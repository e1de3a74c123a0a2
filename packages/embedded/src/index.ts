/**
 * Services and programs that run as child processes without root: PostgreSQL, Redis, the
 * distribution registry, and programs from Debian packages.
 */

export { consoleLine } from './console-line.ts';
export { exists } from './fs.ts';
export {
  acquireBinary,
  type Binary,
  findOnPath,
  type Program,
  REDIS,
  SKOPEO,
} from './programs/binary.ts';
export { cacheDir, fillOnce } from './programs/cache.ts';
export { acquireGo } from './programs/go.ts';
export { acquirePinned } from './programs/pinned.ts';
export { acquireRegistry, builtRegistry } from './programs/registry.ts';
export { run } from './programs/run.ts';
export { endLeftovers, forgetProcess, recordProcess } from './services/leftovers.ts';
export { freePort, isFree } from './services/port.ts';
export { startPostgresServer } from './services/postgres.ts';
export {
  type RunningServer,
  startRedisServer,
} from './services/redis.ts';
export {
  registryStorageDir,
  startRegistryServer,
} from './services/registry.ts';
export {
  describeExit,
  type Exit,
  type Service,
  type ServiceHooks,
  startService,
  untilReady,
} from './services/service.ts';
export {
  ensureServiceSecrets,
  readServiceSecrets,
  type ServiceSecrets,
} from './services/service-secrets.ts';
export {
  type EmbeddedService,
  type EmbeddedSettings,
  planServices,
  SERVICE_NAMES,
  type ServiceName,
  serviceUrls,
} from './services/services.ts';
export { closeSockets, findSockets, openSockets, socketPaths } from './services/sockets.ts';
export { standalonePaths } from './standalone-paths.ts';
