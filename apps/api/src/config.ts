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
import { FOREIGN_IMAGES, isHost } from '@portcullis/domain/admission';
import { MAX_MANIFEST_CHILDREN, PLATFORM_NAME } from '@portcullis/oci';
import { isAddressRule } from '@portcullis/oci/remote';
import {
  type Env,
  parseEnv,
  readAll,
  readSecretFiles,
  secret,
  TRACING_ENV,
} from '@portcullis/runtime';
import {
  count,
  diskReserve,
  flag,
  origins,
  PROCESS_ENV,
  port,
  publicUrl,
  registryUrl,
  webUrl,
  wordsThat,
} from '@portcullis/runtime/env-kinds';
import { z } from 'zod';
import { oidcFromEnv } from './features/oidc/environment.ts';
import type { OidcGiven } from './features/oidc/settings.ts';
import { isProxyAddress } from './http/client/proxy-address.ts';

export const ApiEnv = z.object({
  ...PROCESS_ENV,
  ...TRACING_ENV,
  PORT: port.default(8080),
  HOST: z.string().default('0.0.0.0'),
  /** The address for clients; the default is the host of each request. */
  PUBLIC_URL: publicUrl.optional(),
  REGISTRY_URL: secret(registryUrl),
  /**
   * The built-in registry's storage, if this process can read it: pulls are read there, and pushes
   * leave `DISK_RESERVE` free.
   */
  REGISTRY_STORAGE: z
    .string()
    .transform((dir) => path.resolve(dir))
    .optional(),
  /**
   * Origins of the registry's object store: the gate follows redirects of blob downloads only
   * there.
   */
  REGISTRY_STORE_ORIGINS: origins,
  /**
   * How long a pull from an enforcing folder waits for the scan of an image. Less than the
   * registry's time for a reply, and than most clients' patience.
   */
  PULL_GATE_WAIT_SECONDS: z.coerce.number().min(0).max(50).default(20),
  /** The secret of notifications that an external registry sends to `/registry-events`. */
  REGISTRY_EVENTS_SECRET: secret(z.string().min(16).optional()),
  /** The port of the admission webhook of Kubernetes; without it, there is none. */
  ADMISSION_PORT: port.optional(),
  /** PEM. Replaced while the process runs, they are read again. */
  ADMISSION_CERT_FILE: z.string().optional(),
  ADMISSION_KEY_FILE: z.string().optional(),
  /** Signs the certificates with which API servers log in; without it, they need none. */
  ADMISSION_CLIENT_CA_FILE: z.string().optional(),
  /** More names by which nodes pull from this registry, besides that of `PUBLIC_URL`. */
  ADMISSION_HOSTS: wordsThat(isHost, 'hosts with an optional :port'),
  /** What becomes of images of other registries. */
  ADMISSION_FOREIGN: z.enum(FOREIGN_IMAGES).default('deny'),
  /** Of the nodes; without them, each image of an index has to pass. */
  ADMISSION_PLATFORMS: wordsThat((word) => PLATFORM_NAME.test(word), 'platforms as linux/amd64'),
  ADMIN_USERNAME: z.string().trim().min(1).max(255).default('admin'),
  ADMIN_PASSWORD: secret(z.string().min(1).max(128).optional()),
  FIRST_ADMIN_FILE: z.string().optional(),
  SESSION_HOURS: z.coerce
    .number()
    .min(0.01)
    .max(24 * 30)
    .default(12),
  /** Days since the last login of an account of the identity provider. */
  OIDC_TOKEN_DAYS: z.coerce.number().int().min(1).max(365).optional(),
  TRUSTED_PROXIES: wordsThat(
    isProxyAddress,
    'addresses, networks, loopback, linklocal or uniquelocal',
  ),
  RATE_LIMIT_ENABLED: flag(true),
  /** Requests per minute, for each account and for each address without one. */
  RATE_LIMIT_PER_MINUTE: count(100),
  RATE_LIMIT_ACCOUNT_PER_MINUTE: count(1_200),
  /** Wrong passwords per window; counted even if requests are not. */
  LOGIN_LIMIT_PER_ACCOUNT: count(5),
  LOGIN_LIMIT_PER_ADDRESS: count(50),
  LOGIN_LIMIT_WINDOW_SECONDS: count(300),
  /** Jobs that wait or run, including those of transfers. */
  MAX_OPEN_JOBS_PER_ACCOUNT: count(2_000),
  /** Layers of a manifest, or manifests of an index. */
  MAX_MANIFEST_CHILDREN: count(MAX_MANIFEST_CHILDREN, 50_000),
  /** How many accounts have to approve a waiver, besides the one that requests it. */
  WAIVER_APPROVALS: count(1, 2),
  /** After how many days a review request expires that is not decided. */
  REVIEW_EXPIRY_DAYS: count(7, 90),
  /** The least time between two runs of a schedule. */
  SCHEDULE_MIN_SECONDS: count(60),
  /** The same setting as the workers'. */
  DISK_RESERVE: diskReserve,
  TRIVY_ENABLED: flag(true),
  /** Marks every page: images and vulnerabilities are made up, as with `npm run demo`. */
  SAMPLE_DATA: flag(false),
  EGRESS_ALLOW: wordsThat(isAddressRule, 'networks, addresses or host[:port]'),
  EGRESS_DENY: wordsThat(isAddressRule, 'networks, addresses or host[:port]'),
  /** The same setting as the workers'. */
  DOCKERHUB_HOST: z.string().optional(),
  DOCKERHUB_API_URL: webUrl
    .transform((text) => text.replace(/\/+$/, ''))
    .default('https://hub.docker.com'),
  /** The build output of `apps/web`. */
  WEB_DIR: z.string().default(path.resolve(import.meta.dirname, '../../web/dist')),
  SWAGGER_ENABLED: flag(false),
  /** An endpoint like GitHub's `…/releases/latest`; without it, there is no check for releases. */
  RELEASE_CHECK_URL: webUrl.optional(),
  /** The token that Prometheus sends to `/metrics`; without it, the path does not exist. */
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
    parsed: () => parseEnv(ApiEnv.superRefine(assertWebhook), env),
    network: () => networkFromEnv(readSecretFiles(env, NETWORK_SECRET_VARIABLES)),
    policy: () => policyFromEnv(env),
    oidc: () => oidcFromEnv(env),
  });
  return { ...parsed, ...rest, instance: `${hostname()}-${process.pid}` };
}

/** The webhook needs what it can't guess. */
function assertWebhook(env: z.output<typeof ApiEnv>, context: z.RefinementCtx): void {
  if (env.ADMISSION_PORT === undefined) return;
  const missing = (name: keyof typeof env, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  for (const name of ['ADMISSION_CERT_FILE', 'ADMISSION_KEY_FILE'] as const)
    if (env[name] === undefined) missing(name, 'needed with ADMISSION_PORT');
  if (env.PUBLIC_URL === undefined && env.ADMISSION_HOSTS.length === 0)
    missing('ADMISSION_HOSTS', 'needed with ADMISSION_PORT, where PUBLIC_URL is not set');
}
