import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';

export type { Logger } from 'pino';

export interface LoggerOptions {
  name: string;
  level?: string | undefined;
  /** Default: standard output. */
  destination?: DestinationStream | undefined;
}

const SECRET_FIELDS = [
  'password',
  'passwordHash',
  'secret',
  'token',
  'authorization',
  'cookie',
  'set-cookie',
  'credentials',
  'sealed',
  'databaseUrl',
  'redisUrl',
];

/** At any of the first three levels: pino's redaction knows no deep wildcard. */
const REDACTED = SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]);

/** JSON lines; values of fields that may hold a secret are removed whoever logs them. */
export function createLogger({ name, level = 'info', destination }: LoggerOptions): Logger {
  const options = {
    name,
    level,
    redact: { paths: REDACTED, censor: '[removed]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}
