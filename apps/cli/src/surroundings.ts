/**
 * Opens the services for a command. Services with a configured URL are used as they are; the
 * embedded ones are those of a running `npm start`, or are started for the duration of the command,
 * under the same lock.
 */
import {
  closeSockets,
  endLeftovers,
  ensureServiceSecrets,
  forgetProcess,
  openSockets,
  planServices,
  readServiceSecrets,
  recordProcess,
  SERVICE_NAMES,
  type Service,
  type ServiceName,
  type ServiceSecrets,
  serviceUrls,
  standalonePaths,
} from '@portcullis/embedded';
import { conflict } from '@portcullis/errors';
import { type Lock, openDataDir, tryLock } from '@portcullis/runtime';
import type { CliConfig } from './config.ts';

export interface Surroundings {
  /**
   * Whether a supervisor runs on DATA_DIR; null where nothing is embedded and it cannot be known.
   */
  supervised: boolean | null;
  /** Whether the installation was never started. */
  fresh: boolean;
  has(name: ServiceName): boolean;
  url(name: ServiceName): Promise<string>;
  close(): Promise<void>;
}

type Urls = Awaited<ReturnType<typeof serviceUrls>>;
type Given = { [N in ServiceName]: string | undefined };

export interface SurroundingsOptions {
  /** The services that the command needs: DATA_DIR is not touched where each of them has a URL. */
  needed?: readonly ServiceName[] | undefined;
  note: (text: string) => void;
}

export async function openSurroundings(
  config: CliConfig,
  { needed = SERVICE_NAMES, note }: SurroundingsOptions,
): Promise<Surroundings> {
  const given = {
    postgres: config.databaseUrl,
    redis: config.redisUrl,
    registry: config.registryUrl,
  };
  if (needed.every((name) => given[name] !== undefined)) return outside(given);
  const paths = standalonePaths(config.dataDir);
  const before = await readServiceSecrets(paths.secrets);
  await openDataDir(config.dataDir);
  const attempt = await tryLock(paths.lock, 'process');
  if ('lock' in attempt)
    return stopped(config, { lock: attempt.lock, fresh: before === null, given, note });
  if (before === null) throw conflict('STARTING', 'Portcullis is starting there; try again');
  return beside(await serviceUrls(config, before));
}

function outside(given: Given): Surroundings {
  return {
    supervised: null,
    fresh: false,
    has: (name) => given[name] !== undefined,
    url: async (name) => given[name] ?? '',
    close: async () => {},
  };
}

function beside(urls: Urls): Surroundings {
  return {
    supervised: true,
    fresh: false,
    has: () => true,
    url: async (name) => urls[name],
    close: async () => {},
  };
}

interface Claim {
  lock: Lock;
  fresh: boolean;
  given: Given;
  note: (text: string) => void;
}

/**
 * The lock prevents `npm start` until we are done; the recorded services of a killed supervisor are
 * ended first.
 */
async function stopped(
  config: CliConfig,
  { lock, fresh, given, note }: Claim,
): Promise<Surroundings> {
  const paths = standalonePaths(config.dataDir);
  const started = new Map<ServiceName, Service>();
  const urls = new Map<ServiceName, Promise<string>>();
  const stopping = new AbortController();
  await endLeftovers(paths.running, SERVICE_NAMES);
  let prepared: Promise<{ secrets: ServiceSecrets; sockets: string }> | null = null;

  async function prepare() {
    return {
      secrets: await ensureServiceSecrets(paths.secrets),
      sockets: await openSockets(paths.sockets),
    };
  }

  async function start(name: ServiceName): Promise<string> {
    prepared ??= prepare();
    const context = { settings: config, ...(await prepared), log: note, signal: stopping.signal };
    const plan = planServices(context)[name];
    if (typeof plan === 'string') return plan;
    const running = await plan.start({
      onSpawn: (spawned) => recordProcess(paths.running, spawned),
    });
    started.set(name, running.service);
    return running.url;
  }

  function url(name: ServiceName): Promise<string> {
    const address = urls.get(name) ?? start(name);
    urls.set(name, address);
    return address;
  }

  /**
   * Where only a database URL is configured, as for a migration job, no other service was ever
   * started.
   */
  function has(name: ServiceName): boolean {
    return given[name] !== undefined || given.postgres === undefined || !fresh;
  }

  async function close(): Promise<void> {
    stopping.abort();
    await Promise.allSettled(urls.values());
    await Promise.all(
      [...started].map(async ([name, service]) => {
        await service.stop();
        forgetProcess(paths.running, name);
      }),
    );
    await closeSockets(paths.sockets);
    await lock.release();
  }

  return { supervised: false, fresh, has, url, close };
}
