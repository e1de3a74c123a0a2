/** The settings of the worker, read once from its environment. */
import { hostname } from 'node:os';
import path from 'node:path';
import { openSigningKey } from '@portcullis/attest';
import {
  NETWORK_SECRET_VARIABLES,
  type NetworkSettings,
  networkFromEnv,
  policyFromEnv,
  type ScanPolicy,
  STAGES,
  type Stage,
} from '@portcullis/domain';
import { invalid, isAppError } from '@portcullis/errors';
import { type BucketOptions, parseSharedCredentials } from '@portcullis/local-registry';
import { MAX_MANIFEST_BYTES, MAX_MANIFEST_CHILDREN } from '@portcullis/oci';
import { DEFAULT_STALL_LIMITS, isAddressRule, type StallLimits } from '@portcullis/oci/remote';
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
  publicUrl,
  registryUrl,
  webUrl,
  wordsThat,
} from '@portcullis/runtime/env-kinds';
import { DEFAULT_MAX_UNPACKED_BYTES } from '@portcullis/scanner';
import { z } from 'zod';
import { parseFeedAddress } from './tasks/feeds/feed-address.ts';

/** Default of SWEEP_SECONDS. */
const SWEEP_SECONDS = 10;

export const WorkerEnv = z.object({
  ...PROCESS_ENV,
  ...TRACING_ENV,
  REGISTRY_URL: secret(registryUrl),
  /**
   * The directory that holds the built-in registry's data. A worker that has it collects garbage
   * and links blobs there in place of uploading them.
   */
  REGISTRY_STORAGE: z
    .string()
    .transform((dir) => path.resolve(dir))
    .optional(),
  /**
   * Path of the registry's program. Default: the one that the supervisor recorded, or one on PATH.
   */
  REGISTRY_BINARY: z.string().optional(),
  PATH: z.string().optional(),
  /** The bucket that holds the built-in registry's data. A worker that has it collects garbage. */
  REGISTRY_S3_BUCKET: z.string().optional(),
  REGISTRY_S3_REGION: z.string().default('us-east-1'),
  REGISTRY_S3_ENDPOINT: webUrl.optional(),
  REGISTRY_S3_PATH_STYLE: flag(true),
  REGISTRY_S3_ROOT: z
    .string()
    .default('')
    .transform((text) => text.replace(/^\/+|\/+$/g, '')),
  /** Content of a shared credentials file of the AWS command line. */
  REGISTRY_S3_CREDENTIALS: secret(
    z
      .string()
      .transform(
        (text, context) =>
          parseSharedCredentials(text) ??
          fail(
            context,
            'expected a profile [default] with aws_access_key_id and aws_secret_access_key',
          ),
      )
      .optional(),
  ),
  /** Origins of the registry's object store, to which it may redirect reads of blobs. */
  REGISTRY_STORE_ORIGINS: origins,
  WORKER_STAGES: z
    .string()
    .default(STAGES.join(','))
    .transform(
      (text, context) =>
        parseStages(text) ?? fail(context, `expected some of ${STAGES.join(',')}, or none`),
    ),
  /** One number for all stages, or `pull=8,scan=1,push=4`. */
  WORKER_CONCURRENCY: z
    .string()
    .default('')
    .transform(
      (text, context) =>
        parseConcurrency(text) ?? fail(context, 'expected a number, or pull=8,scan=1,push=4'),
    ),
  HEARTBEAT_FILE: z.string().optional(),
  WORKER_GRACE_SECONDS: z.coerce.number().min(0).max(3600).default(10),
  TRIVY_ENABLED: flag(true),
  /** An installed Trivy. Default: the supervisor acquires one. */
  TRIVY_PATH: z.string().optional(),
  TRIVY_DB_REPOSITORY: z.string().optional(),
  TRIVY_JAVA_DB_ENABLED: flag(true),
  TRIVY_JAVA_DB_REPOSITORY: z.string().optional(),
  /** Images that unpack to more bytes are not scanned. */
  SCAN_MAX_UNPACKED_BYTES: count(DEFAULT_MAX_UNPACKED_BYTES, Number.MAX_SAFE_INTEGER),
  TRIVY_RESCAN_ENABLED: flag(true),
  /** `off`: the feed is not read. */
  EPSS_URL: feedAddress('https://epss.empiricalsecurity.com/epss_scores-current.csv.gz'),
  KEV_URL: feedAddress(
    'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
  ),
  TRIVY_DB_UPDATE_HOURS: z.coerce.number().min(0.01).default(1),
  EGRESS_ALLOW: wordsThat(isAddressRule, 'networks, addresses or host[:port]'),
  EGRESS_DENY: wordsThat(isAddressRule, 'networks, addresses or host[:port]'),
  MAX_MANIFEST_BYTES: count(MAX_MANIFEST_BYTES, 64 * 1024 * 1024),
  MAX_MANIFEST_CHILDREN: count(MAX_MANIFEST_CHILDREN, 50_000),
  DISK_RESERVE: diskReserve,
  /** 0: images of finished jobs stay until room is needed. */
  STAGING_KEEP_DAYS: z.coerce.number().min(0).max(36_500).default(7),
  BLOB_CONCURRENCY: count(3),
  MAX_PER_HOST: count(8),
  PLACE_KEPT_SECONDS: z.coerce.number().min(1).default(30),
  SILENCE_SECONDS: z.coerce
    .number()
    .min(1)
    .max(3600)
    .default(DEFAULT_STALL_LIMITS.idleMs / 1000),
  /** Measured over one minute, or over SILENCE_SECONDS where that is shorter. */
  LEAST_BYTES_PER_SECOND: z.coerce
    .number()
    .int()
    .min(0)
    .default(DEFAULT_STALL_LIMITS.bytesPerSecond),
  STAGE_TRIES: count(5),
  STAGE_BACKOFF_SECONDS: z.coerce.number().min(0).default(2),
  STAGE_BACKOFF_MAX_SECONDS: z.coerce.number().min(0).default(900),
  SWEEP_SECONDS: z.coerce.number().min(0.1).default(SWEEP_SECONDS),
  /** Interval at which the index of the local registry is compared with the registry. */
  RECONCILE_SECONDS: z.coerce.number().min(1).default(3600),
  AUDIT_MAX_EVENTS: count(10_000),
  DOCKERHUB_HOST: z.string().optional(),
  /** Where callers reach this installation: statements about images name it. */
  PUBLIC_URL: publicUrl.optional(),
  /** A private key as PEM that signs statements about images. Default: a worker makes one. */
  SIGNING_KEY: secret(
    z
      .string()
      .transform((pem, context) => signingKeyOf(pem, context))
      .optional(),
  ),
});

export type WorkerConfig = z.output<typeof WorkerEnv> & {
  policy: ScanPolicy;
  network: NetworkSettings;
  registryBucket: RegistryBucket | null;
  workerId: string;
  /**
   * Factor of the intervals at which the worker searches for other work that is due: below 1 where
   * SWEEP_SECONDS is shorter than its default.
   */
  searchFactor: number;
};

type RegistryBucket = Omit<BucketOptions, 'signal' | 'pageSize'> & { root: string };

/** @throws invalid with all faults */
export function readConfig(env: Env): WorkerConfig {
  const { parsed, ...rest } = readAll({
    parsed: () => parseEnv(WorkerEnv, env),
    network: () => networkFromEnv(readSecretFiles(env, NETWORK_SECRET_VARIABLES)),
    policy: () => policyFromEnv(env),
  });
  const workerId = `${hostname()}-${process.pid}`;
  const searchFactor = Math.min(1, parsed.SWEEP_SECONDS / SWEEP_SECONDS);
  return { ...parsed, ...rest, registryBucket: bucketOf(parsed), workerId, searchFactor };
}

function bucketOf(given: z.output<typeof WorkerEnv>): RegistryBucket | null {
  const { REGISTRY_S3_BUCKET: bucket, REGISTRY_S3_CREDENTIALS: credentials } = given;
  if (bucket === undefined) return null;
  if (given.REGISTRY_STORAGE !== undefined)
    throw invalid(
      'ENV_INVALID',
      'REGISTRY_STORAGE and REGISTRY_S3_BUCKET: the storage is a directory or a bucket',
    );
  if (credentials === undefined)
    throw invalid(
      'ENV_INVALID',
      'REGISTRY_S3_CREDENTIALS (or its file) is missing: REGISTRY_S3_BUCKET is given',
    );
  return {
    bucket,
    credentials,
    region: given.REGISTRY_S3_REGION,
    endpoint: given.REGISTRY_S3_ENDPOINT,
    pathStyle: given.REGISTRY_S3_PATH_STYLE,
    root: given.REGISTRY_S3_ROOT,
  };
}

/**
 * Whether this worker only collects the registry's garbage. It then runs no maintenance tasks,
 * registers no storage (no image is staged in its DATA_DIR) and needs no scanner.
 */
export function isCollectorAlone({ WORKER_STAGES }: Pick<WorkerConfig, 'WORKER_STAGES'>): boolean {
  return WORKER_STAGES.length === 0;
}

/**
 * The window of the minimum rate is not a setting: it is one minute, or the silence limit where
 * that is shorter.
 */
export function stallLimitsOf({
  SILENCE_SECONDS,
  LEAST_BYTES_PER_SECOND,
}: WorkerConfig): StallLimits {
  const idleMs = SILENCE_SECONDS * 1000;
  const windowMs = Math.min(DEFAULT_STALL_LIMITS.windowMs, idleMs);
  return { idleMs, windowMs, bytesPerSecond: LEAST_BYTES_PER_SECOND };
}

/** `none` means that the worker only collects garbage; see `isCollectorAlone`. */
function parseStages(text: string): Stage[] | null {
  if (text.trim() === 'none') return [];
  const named = text.split(',').map((word) => word.trim());
  return named.every((word) => STAGES.some((stage) => stage === word))
    ? STAGES.filter((stage) => named.includes(stage))
    : null;
}

/** A scan uses CPU and memory, a copy mostly waits, and a pull may continue as its push. */
const CONCURRENCY: Record<Stage, number> = { pull: 8, scan: 1, push: 4 };

export function parseConcurrency(text: string): Record<Stage, number> | null {
  if (/^[1-9]\d{0,2}$/.test(text))
    return { pull: Number(text), scan: Number(text), push: Number(text) };
  const pairs = text
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => /^(pull|scan|push)=([1-9]\d{0,2})$/.exec(pair.trim()));
  if (pairs.some((pair) => pair === null)) return null;
  return {
    ...CONCURRENCY,
    ...Object.fromEntries(pairs.map((pair) => [pair?.[1], Number(pair?.[2])])),
  };
}

/** Null for `off`. */
function feedAddress(fallback: string) {
  return z
    .string()
    .default(fallback)
    .transform((text, context) =>
      text.trim().toLowerCase() === 'off'
        ? null
        : (parseFeedAddress(text) ??
          fail(
            context,
            'expected a URL without credentials, oci://registry/repository:tag, or off',
          )),
    );
}

function signingKeyOf(pem: string, context: z.RefinementCtx) {
  try {
    return openSigningKey(pem);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return fail(context, error.message);
  }
}

function fail(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
