/** Our own programs, as the supervisor starts them. Secrets go by environment and file, never by argument. */
import { join } from 'node:path';
import {
  registryStorageDir,
  type Service,
  type ServiceHooks,
  standalonePaths,
  startService,
} from '@portcullis/embedded';
import type { Config } from './config.ts';

export interface Program {
  name: string;
  /** Its main file. */
  main: string;
}

const APPS = join(import.meta.dirname, '..', '..');

/** In the order they start; the first answers requests. */
export const PROGRAMS: readonly Program[] = ['api', 'worker', 'notifier'].map((name) => ({
  name,
  main: join(APPS, name, 'src', 'main.ts'),
}));

export interface Urls {
  postgres: string;
  redis: string;
  registry: string;
}

export function startProgram(
  program: Program,
  env: NodeJS.ProcessEnv,
  hooks: ServiceHooks,
): Promise<Service> {
  // Longer than the programs' own grace time, so that theirs decides.
  return startService({
    name: program.name,
    command: process.execPath,
    args: [program.main],
    env,
    graceMs: 25_000,
    ...hooks,
  });
}

/** The reader's own settings, with ours over them. One port for metrics can't be everybody's: it is the api's. */
export function programEnv(name: string, config: Config, urls: Urls): NodeJS.ProcessEnv {
  const {
    ADMIN_PASSWORD,
    ADMIN_PASSWORD_FILE,
    DATABASE_URL_FILE,
    REDIS_URL_FILE,
    PORTCULLIS_PARENT,
    METRICS_PORT,
    ...given
  } = config.env;
  const common = {
    ...given,
    NODE_ENV: 'production',
    DATA_DIR: config.dataDir,
    DATABASE_URL: urls.postgres,
    REDIS_URL: urls.redis,
    REGISTRY_URL: urls.registry,
  };
  const storage =
    config.registryUrl === undefined
      ? { REGISTRY_STORAGE: registryStorageDir(standalonePaths(config.dataDir).registry) }
      : {};
  if (name === 'worker') return { ...common, ...storage };
  return name === 'api'
    ? { ...common, ...storage, ...apiEnv(config), ADMIN_PASSWORD, ADMIN_PASSWORD_FILE, METRICS_PORT }
    : common;
}

function apiEnv(config: Config): NodeJS.ProcessEnv {
  return {
    HOST: config.host,
    PORT: String(config.port),
    ADMIN_USERNAME: config.adminUsername,
    FIRST_ADMIN_FILE: standalonePaths(config.dataDir).firstPassword,
  };
}
