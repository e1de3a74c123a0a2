/**
 * Settings of `npm start`: its environment, read once. Other variables are passed to the processes
 * unchanged.
 */
import { resolve } from 'node:path';
import { cacheDir } from '@portcullis/embedded';
import { type Env, parseEnv, secret } from '@portcullis/runtime';
import { flag } from '@portcullis/runtime/env-kinds';
import { z } from 'zod';

export const StandaloneEnv = z.object({
  PORT: z.coerce.number().int().min(1).max(65_535).default(8080),
  /**
   * Plain HTTP is served to other machines only if the operator, who then has TLS in front, says
   * so.
   */
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: secret(z.string().optional()),
  REDIS_URL: secret(z.string().optional()),
  REGISTRY_URL: secret(z.string().optional()),
  TRIVY_PATH: z.string().optional(),
  TRIVY_ENABLED: flag(true),
  PROGRAM_RELEASES_URL: z.union([z.literal('off'), z.url({ protocol: /^https?$/ })]).optional(),
  SECRET_KEY: secret(z.string().optional()),
  ADMIN_USERNAME: z.string().default('admin'),
  /**
   * Set by `scripts/run.mjs`: when that process has ended, it can no longer forward signals, so we
   * stop.
   */
  PORTCULLIS_PARENT: z.coerce.number().int().optional(),
});

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** External services; each one disables the embedded one. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  registryUrl: string | undefined;
  trivyPath: string | undefined;
  trivyEnabled: boolean;
  /** Base URL of the releases of programs; null: they are built. */
  releases: string | null | undefined;
  secretKey: string | undefined;
  adminUsername: string;
  parent: number | undefined;
  cacheDir: string;
  env: Env;
}

/** @throws invalid with all faults */
export function readConfig(env: Env): Config {
  const parsed = parseEnv(StandaloneEnv, env);
  return {
    port: parsed.PORT,
    host: parsed.HOST,
    dataDir: resolve(parsed.DATA_DIR),
    databaseUrl: parsed.DATABASE_URL,
    redisUrl: parsed.REDIS_URL,
    registryUrl: parsed.REGISTRY_URL,
    trivyPath: parsed.TRIVY_PATH,
    trivyEnabled: parsed.TRIVY_ENABLED,
    releases: parsed.PROGRAM_RELEASES_URL === 'off' ? null : parsed.PROGRAM_RELEASES_URL,
    secretKey: parsed.SECRET_KEY,
    adminUsername: parsed.ADMIN_USERNAME,
    parent: parsed.PORTCULLIS_PARENT,
    cacheDir: cacheDir(env),
    env,
  };
}
