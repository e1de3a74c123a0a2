/** The worker's settings: its environment, read once. */
import { hostname } from 'node:os';
import path from 'node:path';
import {
  NETWORK_SECRET_VARIABLES,
  type NetworkSettings,
  networkFromEnv,
  parseBoolean,
  policyFromEnv,
  type ScanPolicy,
  STAGES,
  type Stage,
} from '@portcullis/domain';
import { MAX_MANIFEST_BYTES } from '@portcullis/oci';
import { type Env, parseEnv, readSecretFiles, secret } from '@portcullis/runtime';
import { z } from 'zod';

const flag = (fallback: boolean) =>
  z
    .string()
    .transform((text, context) => parseBoolean(text) ?? fail(context, 'expected true or false'))
    .default(fallback);
const count = (fallback: number) => z.coerce.number().int().min(1).max(100_000).default(fallback);
const words = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  )
  .default([]);
const service = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol),
      `expected a URL that begins with ${schemes.join('// or ')}//`,
    );

export const WorkerEnv = z.object({
  DATABASE_URL: secret(service('postgres:', 'postgresql:')),
  REDIS_URL: secret(service('redis:', 'rediss:')),
  REGISTRY_URL: service('http:', 'https:'),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((dir) => path.resolve(dir)),
  SECRET_KEY: secret(z.string().optional()),
  /** Opens what isn't sealed anew yet, while the key is being changed. */
  SECRET_KEY_PREVIOUS: secret(z.string().optional()),
  /** Of the built-in registry, where it is at hand: for the collection of its garbage. */
  REGISTRY_STORAGE: z
    .string()
    .transform((dir) => path.resolve(dir))
    .optional(),
  /** The registry's program; without it, the one that the supervisor noted, or one on PATH. */
  REGISTRY_BINARY: z.string().optional(),
  PATH: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
  APP_VERSION: z.string().default('0.1.0'),
  /** Without one, metrics aren't to be read. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  METRICS_HOST: z.string().default('0.0.0.0'),
  WORKER_STAGES: z
    .string()
    .default(STAGES.join(','))
    .transform((text, context) => parseStages(text) ?? fail(context, `expected some of ${STAGES.join(',')}`)),
  /** One number for all stages, or `pull=4,scan=1,push=4`. */
  WORKER_CONCURRENCY: z
    .string()
    .default('')
    .transform(
      (text, context) =>
        parseConcurrency(text) ?? fail(context, 'expected a number, or pull=4,scan=1,push=4'),
    ),
  HEARTBEAT_FILE: z.string().optional(),
  WORKER_GRACE_SECONDS: z.coerce.number().min(0).max(3600).default(10),
  TRIVY_ENABLED: flag(true),
  /** A binary that is there already; without it, whoever started us sees to one. */
  TRIVY_PATH: z.string().optional(),
  TRIVY_DB_REPOSITORY: z.string().optional(),
  TRIVY_DB_UPDATE_HOURS: z.coerce.number().min(0.01).default(1),
  EGRESS_ALLOW: words,
  EGRESS_DENY: words,
  MAX_MANIFEST_BYTES: count(MAX_MANIFEST_BYTES).pipe(z.number().max(64 * 1024 * 1024)),
  BLOB_CONCURRENCY: count(3),
  MAX_PER_HOST: count(8),
  STAGE_TRIES: count(5),
  STAGE_BACKOFF_SECONDS: z.coerce.number().min(0).default(2),
  STAGE_BACKOFF_MAX_SECONDS: z.coerce.number().min(0).default(900),
  SWEEP_SECONDS: z.coerce.number().min(0.1).default(10),
  /** How often the index of the local registry is compared with the registry itself. */
  RECONCILE_SECONDS: z.coerce.number().min(1).default(3600),
  AUDIT_MAX_EVENTS: count(10_000),
  DOCKERHUB_HOST: z.string().optional(),
});

export type WorkerConfig = Omit<z.output<typeof WorkerEnv>, 'MAX_MANIFEST_BYTES'> & {
  MAX_MANIFEST_BYTES: number;
  policy: ScanPolicy;
  network: NetworkSettings;
  workerId: string;
};

/** @throws invalid with all faults */
export function readConfig(env: Env): WorkerConfig {
  const parsed = parseEnv(WorkerEnv, env);
  const network = networkFromEnv(readSecretFiles(env, NETWORK_SECRET_VARIABLES));
  return { ...parsed, policy: policyFromEnv(env), network, workerId: `${hostname()}-${process.pid}` };
}

function parseStages(text: string): Stage[] | null {
  const named = text.split(',').map((word) => word.trim());
  return named.every((word) => STAGES.some((stage) => stage === word))
    ? STAGES.filter((stage) => named.includes(stage))
    : null;
}

/** A scan keeps cores and memory busy, a copy mostly waits. */
const CONCURRENCY: Record<Stage, number> = { pull: 4, scan: 1, push: 4 };

export function parseConcurrency(text: string): Record<Stage, number> | null {
  if (/^[1-9]\d{0,2}$/.test(text)) return { pull: Number(text), scan: Number(text), push: Number(text) };
  const pairs = text
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => /^(pull|scan|push)=([1-9]\d{0,2})$/.exec(pair.trim()));
  if (pairs.some((pair) => pair === null)) return null;
  return { ...CONCURRENCY, ...Object.fromEntries(pairs.map((pair) => [pair?.[1], Number(pair?.[2])])) };
}

function fail(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
