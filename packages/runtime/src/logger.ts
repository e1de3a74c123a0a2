/** Writes the log of a process. */
import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';
import { type LineOutput, lineOutput } from './line-output.ts';
import { traceFields } from './tracing/traced.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  name: string;
  level?: string | undefined;
  /** Default: standard output. */
  destination?: DestinationStream | undefined;
  /** Receives each line, too. */
  tap?: LogTap | undefined;
}

/** Lets a listener receive log lines as they are written. */
export interface LogTap {
  write(line: string): void;
  /** Null: no listener. */
  attach(listener: ((line: string) => void) | null): void;
}

/**
 * Marks lines about the forwarding of lines, which are not forwarded: `log.child(NOT_FORWARDED)`.
 */
export const NOT_FORWARDED = { forwarded: false } as const;
const MARK = '"forwarded":false';

export function logTap(): LogTap {
  let listener: ((line: string) => void) | null = null;
  return {
    write(line) {
      if (listener && !line.includes(MARK)) listener(line);
    },
    attach(next) {
      listener = next;
    },
  };
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

/** At the first three levels: pino's redaction has no deep wildcard. */
const REDACTED = SECRET_FIELDS.flatMap((field) => [
  `["${field}"]`,
  `*["${field}"]`,
  `*.*["${field}"]`,
]);

/**
 * Writes JSON lines; values of fields that may contain a secret are removed, whatever code logs
 * them.
 */
export function createLogger({ name, level = 'info', destination, tap }: LoggerOptions): Logger {
  const options = {
    name,
    level,
    redact: { paths: REDACTED, censor: '[removed]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: traceFields,
  };
  const out = destination ?? standardOutput();
  if (!tap) return pino(options, out);
  return pino(options, {
    write(line) {
      out.write(line);
      tap.write(line);
    },
  });
}

/** One for all loggers of the process, so that lines are not mixed. */
let output: LineOutput | null = null;

function standardOutput(): LineOutput {
  output ??= lineOutput(1);
  return output;
}

/**
 * The same logger for lines whose fields never contain a secret, such as one line for each request:
 * looking for secrets takes 15 times as long as writing the line.
 */
export function unredacted(log: Logger): Logger {
  return log.child({}, { redact: [] });
}
