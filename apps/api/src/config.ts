/** The api's settings: its environment, read once. */
import { hostname } from 'node:os';
import path from 'node:path';
import {
  NETWORK_SECRET_VARIABLES,
  type NetworkSettings,
  networkFromEnv,
  policyFromEnv,
  type ScanPolicy,
} from '@portcullis/domain';
import { isAddressRule } from '@portcullis/oci/remote';
import { type Env, parseEnv, readAll, readSecretFiles, secret } from '@portcullis/runtime';
import {
  count,
  diskReserve,
  flag,
  origins,
  PROCESS_ENV,
  port,
  registryUrl,
  webUrl,
  wordsThat,
} from '@portcullis/runtime/env-kinds';
import { z } from 'zod';
import { oidcFromEnv } from './features/oidc/environment.ts';
import type { OidcGiven } from './features/oidc/settings.ts';
import { isProxyAddress } from './http/caller/proxy-address.ts';

export const ApiEnv = z.object({
  ...PROCESS_ENV,
  PORT: port.default(8080),
  HOST: z.string().default('0.0.0.0'),
  /** Where clients reach us; without it, each request's own host is taken. */
  PUBLIC_URL: webUrl.transform((text) => new URL(text).origin).optional(),
  REGISTRY_URL: registryUrl,
  /** Of the built-in registry, where it is at hand: pushes leave some of its disk free. */
  REGISTRY_STORAGE: z.string().optional(),
  /**
   * Of the registry's object store: where it may send readers of blobs, whom the gate follows
   * there.
   */
  REGISTRY_STORE_ORIGINS: origins,
  /** Of an outside registry's notifications, which it then sends to `/registry-events`. */
  REGISTRY_EVENTS_SECRET: secret(z.string().min(16).optional()),
  APP_COMMIT: z.string().optional(),
  ADMIN_USERNAME: z.string().trim().min(1).max(255).default('admin'),
  ADMIN_PASSWORD: secret(z.string().min(1).max(128).optional()),
  FIRST_ADMIN_FILE: z.string().optional(),
  SESSION_HOURS: z.coerce
    .number()
    .min(0.01)
    .max(24 * 30)
    .default(12),
  /** Since the last login of an account of the identity provider. */
  OIDC_TOKEN_DAYS: z.coerce.number().int().min(1).max(365).optional(),
  TRUSTED_PROXIES: wordsThat(
    isProxyAddress,
    'addresses, networks, loopback, linklocal or uniquelocal',
  ),
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
  /** As the workers keep it. */
  DISK_RESERVE: diskReserve,
  TRIVY_ENABLED: flag(true),
  EGRESS_ALLOW: wordsThat(isAddressRule, 'networks, addresses or host[:port]'),
  EGRESS_DENY: wordsThat(isAddressRule, 'networks, addresses or host[:port]'),
  DOCKERHUB_API_URL: webUrl
    .transform((text) => text.replace(/\/+$/, ''))
    .default('https://hub.docker.com'),
  /** What `apps/web` was built to. */
  WEB_DIR: z.string().default(path.resolve(import.meta.dirname, '../../web/dist')),
  SWAGGER_ENABLED: flag(false),
  /**
   * Where the latest release is told of, as GitHub does (`…/releases/latest`); without it, nobody
   * is asked.
   */
  RELEASE_CHECK_URL: webUrl.optional(),
  /** What Prometheus sends to `/metrics`; without it, there is nothing there. */
  METRICS_TOKEN: secret(z.string().min(16).optional()),
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
  const { parsed, ...rest } = readAll({
    parsed: () => parseEnv(ApiEnv, env),
    network: () => networkFromEnv(readSecretFiles(env, NETWORK_SECRET_VARIABLES)),
    policy: () => policyFromEnv(env),
    oidc: () => oidcFromEnv(env),
  });
  return { ...parsed, ...rest, instance: `${hostname()}-${process.pid}` };
}
