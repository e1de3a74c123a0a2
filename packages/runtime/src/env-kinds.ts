/**
 * Schemas of environment variables that several processes read, so that each is parsed and refused
 * alike.
 */
import path from 'node:path';
import { z } from 'zod';
import { parseReserve } from './disk-space.ts';
import { secret } from './env.ts';
import { parseRedisUrl } from './redis/url.ts';
import { socketOf } from './socket-url.ts';

/** The words that `parseBoolean` of packages/domain accepts, too; case-insensitive. */
export const boolean = z.stringbool({
  truthy: ['true', '1', 'yes', 'on'],
  falsy: ['false', '0', 'no', 'off'],
  error: 'expected true or false',
});

export function flag(fallback: boolean) {
  return boolean.default(fallback);
}

/** One or more. */
export function count(fallback: number, most = 10_000_000) {
  return z.coerce.number().int().min(1).max(most).default(fallback);
}

/** Separated by commas. */
export const words = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  )
  .default([]);

/** Words that `isOne` accepts. @param expected what they are, for the message */
export function wordsThat(isOne: (word: string) => boolean, expected: string) {
  return words.refine((all) => all.every(isOne), `expected ${expected}, separated by commas`);
}

/** @param schemes with their colon: `https:` */
export function url(...schemes: string[]) {
  return z
    .string()
    .refine(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol),
      `expected a URL that begins with ${schemes.join('// or ')}//`,
    );
}

export const webUrl = url('http:', 'https:');

/** Where callers reach an installation: an origin. */
export const publicUrl = webUrl.transform((text) => new URL(text).origin);

const redisUrl = z
  .string()
  .refine(
    (text) => parseRedisUrl(text) !== undefined,
    'expected redis://, rediss://, or redis+sentinel://host:26379,host:26379/name',
  );

/** Origins, separated by commas: `https://images.s3.example.com`. */
export const origins = words.transform((given, context) => {
  const parsed = given.map((text) => (URL.canParse(text) ? new URL(text) : null));
  const isOrigin = (url: URL | null) =>
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    !url.search &&
    !url.username;
  if (parsed.every(isOrigin)) return parsed.flatMap((url) => (url ? [url.origin] : []));
  context.addIssue({
    code: 'custom',
    message: 'expected origins without a path: https://images.s3.example.com',
  });
  return z.NEVER;
});

/**
 * URL of the local registry: by TCP, or by a Unix socket (`http+unix://%2Fpath%2Fregistry.sock`).
 */
export const registryUrl = url('http:', 'https:', 'http+unix:').refine(
  (text) => !URL.canParse(text) || !text.startsWith('http+unix:') || socketOf(text) !== null,
  'expected the percent-encoded path of a socket after http+unix://',
);

/**
 * Disk space that work leaves free: a size or a percentage; by default the larger of 1 GiB and 5 %.
 */
export const diskReserve = z
  .string()
  .optional()
  .transform((text, context) => {
    const reserve = text === undefined ? null : parseReserve(text);
    if (reserve !== undefined) return reserve;
    context.addIssue({ code: 'custom', message: 'expected a size or a percentage: 10GiB, 5%' });
    return z.NEVER;
  });

/** Zero: any free port. */
export const port = z.coerce.number().int().min(0).max(65_535);

/** Variables that the api, the worker and the notifier all read. */
export const PROCESS_ENV = {
  DATABASE_URL: secret(url('postgres:', 'postgresql:')),
  /** Two: a transaction and what is read beside it. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  REDIS_URL: secret(redisUrl),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((dir) => path.resolve(dir)),
  SECRET_KEY: secret(z.string().optional()),
  /** Opens secrets that are not yet resealed, while the key is changed. */
  SECRET_KEY_PREVIOUS: secret(z.string().optional()),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
  APP_VERSION: z.string().default('0.1.0'),
  APP_COMMIT: z.string().optional(),
  /** Without it, the process serves no metrics. */
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('0.0.0.0'),
};
