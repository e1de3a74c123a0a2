/**
 * The services a command works on. What a URL was given for is used as it is; the embedded ones are those of a running
 * `npm start`, or are started for as long as the command runs, under the same lock.
 */
import { mkdir } from 'node:fs/promises';
import {
  endLeftovers,
  forgetProcess,
  type Lock,
  planServices,
  type Remembered,
  readRemembered,
  recordProcess,
  remember,
  SERVICE_NAMES,
  type Service,
  type ServiceName,
  serviceUrls,
  standalonePaths,
  tryLock,
} from '@portcullis/embedded';
import { conflict } from '@portcullis/errors';
import type { CliConfig } from './config.ts';

export interface Surroundings {
  /** Whether a supervisor runs on DATA_DIR; null where nothing is embedded, and nobody can tell. */
  supervised: boolean | null;
  /** Whether there ever was anything to work on. */
  fresh: boolean;
  url(name: ServiceName): Promise<string>;
  close(): Promise<void>;
}

type Urls = ReturnType<typeof serviceUrls>;

export async function openSurroundings(
  config: CliConfig,
  note: (text: string) => void,
): Promise<Surroundings> {
  const given = { postgres: config.databaseUrl, redis: config.redisUrl, registry: config.registryUrl };
  if (SERVICE_NAMES.every((name) => given[name] !== undefined)) return outside(given);
  const paths = standalonePaths(config.dataDir);
  const before = await readRemembered(paths.remembered);
  await mkdir(config.dataDir, { recursive: true });
  const attempt = await tryLock(paths.lock);
  if ('lock' in attempt) return stopped(config, { lock: attempt.lock, fresh: before === null, note });
  if (before === null) throw conflict('STARTING', 'Portcullis is just being started there; try again');
  return beside(serviceUrls(config, before));
}

function outside(given: { [N in ServiceName]: string | undefined }): Surroundings {
  return {
    supervised: null,
    fresh: false,
    url: async (name) => given[name] ?? '',
    close: async () => {},
  };
}

function beside(urls: Urls): Surroundings {
  return { supervised: true, fresh: false, url: async (name) => urls[name], close: async () => {} };
}

interface Claim {
  lock: Lock;
  fresh: boolean;
  note: (text: string) => void;
}

/** The lock keeps `npm start` away until we are done; a killed one's services are on record, and ended first. */
async function stopped(config: CliConfig, { lock, fresh, note }: Claim): Promise<Surroundings> {
  const paths = standalonePaths(config.dataDir);
  const started = new Map<ServiceName, Service>();
  const urls = new Map<ServiceName, Promise<string>>();
  const stopping = new AbortController();
  await endLeftovers(paths.running, SERVICE_NAMES);
  let remembered: Promise<Remembered> | null = null;

  async function start(name: ServiceName): Promise<string> {
    remembered ??= remember(paths.remembered);
    const context = { place: config, remembered: await remembered, log: note, signal: stopping.signal };
    const plan = planServices(context)[name];
    if (typeof plan === 'string') return plan;
    const running = await plan.start({ onSpawn: (spawned) => recordProcess(paths.running, spawned) });
    started.set(name, running.service);
    return running.url;
  }

  function url(name: ServiceName): Promise<string> {
    const asked = urls.get(name) ?? start(name);
    urls.set(name, asked);
    return asked;
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
    await lock.release();
  }

  return { supervised: false, fresh, url, close };
}
