/** The notifier's settings: its environment, read once. */
import { hostname } from 'node:os';
import path from 'node:path';
import { NETWORK_SECRET_VARIABLES, type NetworkSettings, networkFromEnv } from '@portcullis/domain';
import { type Env, parseEnv, readSecretFiles, secret } from '@portcullis/runtime';
import { z } from 'zod';

export const NotifierEnv = z.object({
  DATABASE_URL: secret(
    z.string().regex(/^postgres(?:ql)?:\/\//, 'expected a URL that begins with postgres://'),
  ),
  REDIS_URL: secret(z.string().regex(/^rediss?:\/\//, 'expected a URL that begins with redis://')),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((dir) => path.resolve(dir)),
  SECRET_KEY: secret(z.string().optional()),
  /** Opens what isn't sealed anew yet, while the key is being changed. */
  SECRET_KEY_PREVIOUS: secret(z.string().optional()),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
  HEARTBEAT_FILE: z.string().optional(),
  APP_VERSION: z.string().default('0.1.0'),
  /** Without one, metrics aren't to be read. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  METRICS_HOST: z.string().default('0.0.0.0'),
  /** How long an event waits for others to go into the same message. */
  EMAIL_GATHER_SECONDS: z.coerce.number().min(0).max(3_600).default(3),
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(365),
});

export type NotifierConfig = z.output<typeof NotifierEnv> & {
  network: NetworkSettings;
  instance: string;
};

/** @throws invalid with all faults */
export function readConfig(env: Env): NotifierConfig {
  const network = networkFromEnv(readSecretFiles(env, NETWORK_SECRET_VARIABLES));
  return { ...parseEnv(NotifierEnv, env), network, instance: `${hostname()}-${process.pid}` };
}
