/** The api's settings: its environment, read once. */
import { hostname } from 'node:os';
import path from 'node:path';
import {
  NETWORK_SECRET_VARIABLES,
  type NetworkSettings,
  networkFromEnv,
  parseBoolean,
  policyFromEnv,
  type ScanPolicy,
} from '@portcullis/domain';
import { type Env, parseEnv, readSecretFiles, secret } from '@portcullis/runtime';
import { z } from 'zod';
import { oidcFromEnv } from './features/oidc/environment.ts';
import type { OidcGiven } from './features/oidc/settings.ts';

const flag = (fallback: boolean) =>
  z
    .string()
    .transform((text, context) => parseBoolean(text) ?? fail(context, 'expected true or false'))
    .default(fallback);
const count = (fallback: number) => z.coerce.number().int().min(1).max(10_000_000).default(fallback);
const words = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  )
  .default([]);
const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol),
      `expected a URL that begins with ${schemes.join('// or ')}//`,
    );

export const ApiEnv = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default('0.0.0.0'),
  /** Where clients reach us; without it, each request's own host is taken. */
  PUBLIC_URL: url('http:', 'https:')
    .transform((text) => new URL(text).origin)
    .optional(),
  DATABASE_URL: secret(url('postgres:', 'postgresql:')),
  REDIS_URL: secret(url('redis:', 'rediss:')),
  REGISTRY_URL: url('http:', 'https:'),
  DATA_DIR: z.string().default('./data'),
  /** Of an outside registry's notifications, which it then sends to `/registry-events`. */
  REGISTRY_EVENTS_SECRET: secret(z.string().min(16).optional()),
  SECRET_KEY: secret(z.string().optional()),
  /** Opens what isn't sealed anew yet, while the key is being changed. */
  SECRET_KEY_PREVIOUS: secret(z.string().optional()),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
  APP_VERSION: z.string().default('0.1.0'),
  APP_COMMIT: z.string().optional(),
  ADMIN_USERNAME: z.string().trim().min(1).max(255).default('admin'),
  ADMIN_PASSWORD: secret(z.string().min(1).max(128).optional()),
  FIRST_ADMIN_FILE: z.string().optional(),
  SESSION_HOURS: z.coerce
    .number()
    .min(0.01)
    .max(24 * 30)
    .default(12),
  TRUSTED_PROXIES: words,
  RATE_LIMIT_ENABLED: flag(true),
  /** Requests in a minute: of strangers from one address, and of one account. */
  RATE_LIMIT_PER_MINUTE: count(100),
  RATE_LIMIT_ACCOUNT_PER_MINUTE: count(1_200),
  /** Wrong passwords in a window; counted whether or not requests are. */
  LOGIN_LIMIT_PER_ACCOUNT: count(5),
  LOGIN_LIMIT_PER_ADDRESS: count(50),
  LOGIN_LIMIT_WINDOW_SECONDS: count(300),
  /** That wait or run, transfers included. */
  MAX_OPEN_JOBS_PER_ACCOUNT: count(2_000),
  /** Between any two runs of a schedule. */
  SCHEDULE_MIN_SECONDS: count(60),
  TRIVY_ENABLED: flag(true),
  EGRESS_ALLOW: words,
  EGRESS_DENY: words,
  DOCKERHUB_API_URL: url('http:', 'https:')
    .transform((text) => text.replace(/\/+$/, ''))
    .default('https://hub.docker.com'),
  /** What `apps/web` was built to. */
  WEB_DIR: z.string().default(path.resolve(import.meta.dirname, '../../web/dist')),
  SWAGGER_ENABLED: flag(false),
  /** Where the latest release is told of, as GitHub does (`…/releases/latest`); without it, nobody is asked. */
  RELEASE_CHECK_URL: url('http:', 'https:').optional(),
  /** What Prometheus sends to `/metrics`; without it, there is nothing there. */
  METRICS_TOKEN: secret(z.string().min(16).optional()),
  /** Another way to the metrics, for whoever reaches this port. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  METRICS_HOST: z.string().default('0.0.0.0'),
  API_GRACE_SECONDS: z.coerce.number().min(0).max(3600).default(10),
});

export type ApiConfig = z.output<typeof ApiEnv> & {
  policy: ScanPolicy;
  network: NetworkSettings;
  oidc: Partial<OidcGiven>;
  instance: string;
};

/** @throws invalid with all faults */
export function readConfig(env: Env): ApiConfig {
  const parsed = parseEnv(ApiEnv, env);
  const network = networkFromEnv(readSecretFiles(env, NETWORK_SECRET_VARIABLES));
  const instance = `${hostname()}-${process.pid}`;
  return { ...parsed, policy: policyFromEnv(env), network, oidc: oidcFromEnv(env), instance };
}

function fail(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
