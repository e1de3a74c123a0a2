/** Starts our own processes. Secrets are passed by environment and file, never as arguments. */
import { join } from 'node:path';
import {
  registryStorageDir,
  type Service,
  type ServiceHooks,
  standalonePaths,
  startService,
} from '@portcullis/embedded';
import type { Config } from './config.ts';

/** What a process runs. */
type Role = 'api' | 'worker' | 'notifier';

export interface ProductProgram {
  /** Of the process: in the log, and of its record. */
  name: string;
  role: Role;
  /** The arguments of Node. */
  args: readonly string[];
}

const APPS = join(import.meta.dirname, '..', '..');

/** As in Dockerfile.api; see docs/decisions/0064-uploads-go-to-the-registrys-storage.md. */
const FLAGS: Partial<Record<Role, readonly string[]>> = { api: ['--max-semi-space-size=1'] };

/** In the order they start; the first serves requests. */
export function programs(workers: number): ProductProgram[] {
  return [
    program('api'),
    ...Array.from({ length: workers }, (_, nth) =>
      program('worker', nth === 0 ? 'worker' : `worker-${nth + 1}`),
    ),
    program('notifier'),
  ];
}

function program(role: Role, name: string = role): ProductProgram {
  return { name, role, args: [...(FLAGS[role] ?? []), join(APPS, role, 'src', 'main.ts')] };
}

export interface Urls {
  postgres: string;
  redis: string;
  registry: string;
}

export function startProgram(
  program: ProductProgram,
  env: NodeJS.ProcessEnv,
  hooks: ServiceHooks,
): Promise<Service> {
  // Longer than the processes' own grace time, so that theirs decides.
  return startService({
    name: program.name,
    command: process.execPath,
    args: [...program.args],
    env,
    graceMs: 25_000,
    ...hooks,
  });
}

/**
 * The operator's settings, overridden by ours. The port for metrics can only be used once: it is
 * the api's.
 */
export function programEnv(role: Role, config: Config, urls: Urls): NodeJS.ProcessEnv {
  const {
    ADMIN_PASSWORD,
    ADMIN_PASSWORD_FILE,
    DATABASE_URL_FILE,
    REDIS_URL_FILE,
    REGISTRY_URL_FILE,
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
  if (role === 'worker') return { ...common, ...storage };
  return role === 'api'
    ? {
        ...common,
        ...storage,
        ...apiEnv(config),
        ADMIN_PASSWORD,
        ADMIN_PASSWORD_FILE,
        METRICS_PORT,
      }
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
