/** The embedded services: each one that no URL was given for. */
import { acquireBinary, REDIS, REGISTRY } from './binary.ts';
import { databaseUrl, startPostgresServer } from './postgres.ts';
import { type RunningServer, redisUrl, startRedisServer } from './redis.ts';
import { registryUrl, startRegistryServer } from './registry.ts';
import type { Remembered, RememberedBefore } from './remembered.ts';
import type { ServiceHooks } from './service.ts';
import { standalonePaths } from './standalone-paths.ts';

export interface EmbeddedPlace {
  dataDir: string;
  cacheDir: string;
  /** Outside services; each one given switches the embedded one off. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  registryUrl: string | undefined;
  env: NodeJS.ProcessEnv;
}

export interface EmbeddedService {
  name: string;
  start: (hooks: ServiceHooks) => Promise<RunningServer>;
}

export interface ServiceContext {
  place: EmbeddedPlace;
  remembered: Remembered;
  log: (text: string) => void;
  signal: AbortSignal;
}

export const SERVICE_NAMES = ['postgres', 'redis', 'registry'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** A URL that was given, or the service to start. */
export function planServices(context: ServiceContext): { [name in ServiceName]: string | EmbeddedService } {
  const { place } = context;
  return {
    postgres: place.databaseUrl ?? { name: 'postgres', start: postgres(context) },
    redis: place.redisUrl ?? { name: 'redis', start: redis(context) },
    registry: place.registryUrl ?? { name: 'registry', start: registry(context) },
  };
}

/** Where they listen while a supervisor runs them. */
export function serviceUrls(place: EmbeddedPlace, { ports, ...secrets }: RememberedBefore) {
  return {
    postgres: place.databaseUrl ?? databaseUrl({ port: ports.postgres, password: secrets.postgresPassword }),
    redis: place.redisUrl ?? redisUrl({ port: ports.redis, password: secrets.redisPassword }),
    registry: place.registryUrl ?? registryUrl({ port: ports.registry, password: secrets.registryPassword }),
  };
}

function postgres({ place, remembered, log }: ServiceContext): EmbeddedService['start'] {
  return (hooks) =>
    startPostgresServer({
      dir: standalonePaths(place.dataDir).postgres,
      cacheDir: place.cacheDir,
      port: remembered.ports.postgres,
      password: remembered.postgresPassword,
      env: place.env,
      log,
      hooks,
    });
}

function redis({ place, remembered, log, signal }: ServiceContext): EmbeddedService['start'] {
  return async (hooks) =>
    startRedisServer({
      binary: await acquireBinary(REDIS, { cacheDir: place.cacheDir, env: place.env, log, signal }),
      dir: standalonePaths(place.dataDir).redis,
      port: remembered.ports.redis,
      password: remembered.redisPassword,
      env: place.env,
      hooks,
    });
}

function registry({ place, remembered, log, signal }: ServiceContext): EmbeddedService['start'] {
  return async (hooks) =>
    startRegistryServer({
      binary: await acquireBinary(REGISTRY, { cacheDir: place.cacheDir, env: place.env, log, signal }),
      dir: standalonePaths(place.dataDir).registry,
      port: remembered.ports.registry,
      secret: remembered.registrySecret,
      password: remembered.registryPassword,
      env: place.env,
      hooks,
    });
}
