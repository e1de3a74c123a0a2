/** The embedded services: each one that no URL was given for. */
import {
  acquireBinary,
  REDIS,
  REGISTRY,
  type RunningServer,
  type ServiceHooks,
  startPostgresServer,
  startRedisServer,
  startRegistryServer,
} from '@portcullis/embedded';
import type { Config } from './config.ts';
import { standalonePaths } from './paths.ts';
import type { Remembered } from './remembered.ts';

export interface EmbeddedService {
  name: string;
  start: (hooks: ServiceHooks) => Promise<RunningServer>;
}

export interface ServiceContext {
  config: Config;
  remembered: Remembered;
  log: (text: string) => void;
  signal: AbortSignal;
}

export const SERVICE_NAMES = ['postgres', 'redis', 'registry'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** A URL that was given, or the service to start. */
export function planServices(context: ServiceContext): { [name in ServiceName]: string | EmbeddedService } {
  const { config } = context;
  return {
    postgres: config.databaseUrl ?? { name: 'postgres', start: postgres(context) },
    redis: config.redisUrl ?? { name: 'redis', start: redis(context) },
    registry: config.registryUrl ?? { name: 'registry', start: registry(context) },
  };
}

function postgres({ config, remembered, log }: ServiceContext): EmbeddedService['start'] {
  return (hooks) =>
    startPostgresServer({
      dir: standalonePaths(config.dataDir).postgres,
      cacheDir: config.cacheDir,
      port: remembered.ports.postgres,
      password: remembered.postgresPassword,
      env: config.env,
      log,
      hooks,
    });
}

function redis({ config, remembered, log, signal }: ServiceContext): EmbeddedService['start'] {
  return async (hooks) =>
    startRedisServer({
      binary: await acquireBinary(REDIS, { cacheDir: config.cacheDir, env: config.env, log, signal }),
      dir: standalonePaths(config.dataDir).redis,
      port: remembered.ports.redis,
      password: remembered.redisPassword,
      env: config.env,
      hooks,
    });
}

function registry({ config, remembered, log, signal }: ServiceContext): EmbeddedService['start'] {
  return async (hooks) =>
    startRegistryServer({
      binary: await acquireBinary(REGISTRY, { cacheDir: config.cacheDir, env: config.env, log, signal }),
      dir: standalonePaths(config.dataDir).registry,
      port: remembered.ports.registry,
      secret: remembered.registrySecret,
      env: config.env,
      hooks,
    });
}
