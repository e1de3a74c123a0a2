/**
 * Settings of the command: the processes' environment, read once. Missing values are those of `npm
 * start`.
 */
import path from 'node:path';
import {
  NETWORK_SECRET_VARIABLES,
  type NetworkSettings,
  networkFromEnv,
  policyFromEnv,
  type ScanPolicy,
} from '@portcullis/domain';
import { cacheDir, type EmbeddedSettings } from '@portcullis/embedded';
import { type Env, parseEnv, readSecretFiles, secret } from '@portcullis/runtime';
import { flag } from '@portcullis/runtime/env-kinds';
import { z } from 'zod';

const CliEnv = z.object({
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: secret(z.string().optional()),
  REDIS_URL: secret(z.string().optional()),
  REGISTRY_URL: secret(z.string().optional()),
  REGISTRY_STORAGE: z.string().optional(),
  SECRET_KEY: secret(z.string().optional()),
  SECRET_KEY_PREVIOUS: secret(z.string().optional()),
  PUBLIC_URL: z.string().optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(1).max(65_535).default(8080),
  TRIVY_ENABLED: flag(true),
  WAIVER_APPROVALS: z.coerce.number().int().min(1).max(2).default(1),
  OIDC_ISSUER: z.string().optional(),
  APP_VERSION: z.string().default('0.1.0'),
  /** The caller's directory: `scripts/run.mjs` changes it. */
  PORTCULLIS_CWD: z.string().default('.'),
});

export interface CliConfig extends EmbeddedSettings {
  registryStorageDir: string | undefined;
  secretKey: string | undefined;
  previousKey: string | undefined;
  publicUrl: string | undefined;
  host: string;
  port: number;
  scans: boolean;
  /** How many accounts have to approve a waiver. */
  waiverApprovals: number;
  oidcIssuer: string | undefined;
  network: NetworkSettings;
  policy: ScanPolicy;
  version: string;
  cwd: string;
}

/** @throws invalid with all faults */
export function readConfig(env: Env): CliConfig {
  const parsed = parseEnv(CliEnv, env);
  return {
    dataDir: path.resolve(parsed.DATA_DIR),
    cacheDir: cacheDir(env),
    databaseUrl: parsed.DATABASE_URL,
    redisUrl: parsed.REDIS_URL,
    registryUrl: parsed.REGISTRY_URL,
    registryStorageDir: parsed.REGISTRY_STORAGE,
    secretKey: parsed.SECRET_KEY,
    previousKey: parsed.SECRET_KEY_PREVIOUS,
    publicUrl: parsed.PUBLIC_URL,
    host: parsed.HOST,
    port: parsed.PORT,
    scans: parsed.TRIVY_ENABLED,
    waiverApprovals: parsed.WAIVER_APPROVALS,
    oidcIssuer: parsed.OIDC_ISSUER,
    network: networkFromEnv(readSecretFiles(env, NETWORK_SECRET_VARIABLES)),
    policy: policyFromEnv(env),
    version: parsed.APP_VERSION,
    cwd: path.resolve(parsed.PORTCULLIS_CWD),
    env,
  };
}
