/** Plans the embedded services: those for which no URL is configured. */
import { acquireBinary, REDIS } from '../programs/binary.ts';
import { acquireRegistry } from '../programs/registry.ts';
import { standalonePaths } from '../standalone-paths.ts';
import { databaseUrl, startPostgresServer } from './postgres.ts';
import { type RunningServer, redisUrl, startRedisServer } from './redis.ts';
import { registryUrl, startRegistryServer } from './registry.ts';
import type { ServiceHooks } from './service.ts';
import type { ServiceSecrets } from './service-secrets.ts';
import { findSockets, socketPaths } from './sockets.ts';

export interface EmbeddedSettings {
  dataDir: string;
  cacheDir: string;
  /** URLs of external services; each one disables the embedded one. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  registryUrl: string | undefined;
  /** Base URL of the releases of programs; null: they are built. */
  releases?: string | null | undefined;
  env: NodeJS.ProcessEnv;
}

export interface EmbeddedService {
  name: string;
  start: (hooks: ServiceHooks) => Promise<RunningServer>;
}

export interface ServiceContext {
  settings: EmbeddedSettings;
  secrets: ServiceSecrets;
  /** The directory from `openSockets`. */
  sockets: string;
  log: (text: string) => void;
  signal: AbortSignal;
}

export const SERVICE_NAMES = ['postgres', 'redis', 'registry'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The configured URL, or the service to start. */
export function planServices(context: ServiceContext): {
  [name in ServiceName]: string | EmbeddedService;
} {
  const { settings } = context;
  return {
    postgres: settings.databaseUrl ?? { name: 'postgres', start: postgres(context) },
    redis: settings.redisUrl ?? { name: 'redis', start: redis(context) },
    registry: settings.registryUrl ?? { name: 'registry', start: registry(context) },
  };
}

/** The URLs of services that a running supervisor started. */
export async function serviceUrls(
  settings: Pick<EmbeddedSettings, 'dataDir' | 'databaseUrl' | 'redisUrl' | 'registryUrl'>,
  secrets: ServiceSecrets,
): Promise<{ [name in ServiceName]: string }> {
  const paths = standalonePaths(settings.dataDir);
  const sockets = await findSockets(paths.sockets);
  const at = socketPaths(sockets);
  const database = { dir: paths.postgres, listen: { sockets }, password: secrets.postgresPassword };
  const redis = { listen: { socketPath: at.redis }, password: secrets.redisPassword };
  const registry = { listen: { socketPath: at.registry }, password: secrets.registryPassword };
  return {
    postgres: settings.databaseUrl ?? (await databaseUrl(database)),
    redis: settings.redisUrl ?? redisUrl(redis),
    registry: settings.registryUrl ?? registryUrl(registry),
  };
}

function postgres({ settings, secrets, sockets, log }: ServiceContext): EmbeddedService['start'] {
  return (hooks) =>
    startPostgresServer({
      dir: standalonePaths(settings.dataDir).postgres,
      cacheDir: settings.cacheDir,
      listen: { sockets },
      password: secrets.postgresPassword,
      env: settings.env,
      log,
      hooks,
    });
}

function redis({
  settings,
  secrets,
  sockets,
  log,
  signal,
}: ServiceContext): EmbeddedService['start'] {
  return async (hooks) =>
    startRedisServer({
      binary: await acquireBinary(REDIS, {
        cacheDir: settings.cacheDir,
        env: settings.env,
        log,
        signal,
      }),
      dir: standalonePaths(settings.dataDir).redis,
      listen: { socketPath: socketPaths(sockets).redis },
      password: secrets.redisPassword,
      env: settings.env,
      hooks,
    });
}

function registry({
  settings,
  secrets,
  sockets,
  log,
  signal,
}: ServiceContext): EmbeddedService['start'] {
  return async (hooks) =>
    startRegistryServer({
      binary: await acquireRegistry({ ...settings, log, signal }),
      dir: standalonePaths(settings.dataDir).registry,
      listen: { socketPath: socketPaths(sockets).registry },
      secret: secrets.registrySecret,
      password: secrets.registryPassword,
      env: settings.env,
      hooks,
    });
}
