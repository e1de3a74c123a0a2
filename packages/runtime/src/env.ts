import { readFileSync } from 'node:fs';
import { invalid } from '@portcullis/errors';
import type { z } from 'zod';

export type Env = Record<string, string | undefined>;

/**
 * Reads a process's settings once, at its start. All faults are told at once; `main.ts` prints the message and exits.
 * An empty variable counts as absent, as a compose file or chart leaves it behind.
 * @throws invalid `ENV_INVALID`
 */
export function parseEnv<S extends z.ZodType>(schema: S, env: Env): z.output<S> {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  // Names and reasons only: a faulty value may be a secret.
  const faults = parsed.error.issues.map(
    (issue) => `  ${issue.path.join('.') || '(settings)'}: ${issue.message}`,
  );
  throw invalid('ENV_INVALID', `These environment variables are wrong:\n${faults.join('\n')}`);
}

/**
 * The environment with secrets that were given as files: where `NAME` is absent and `NAME_FILE` isn't, `NAME` is what
 * the file holds. @throws invalid `ENV_INVALID`
 */
export function readSecretFiles(env: Env, names: readonly string[]): Env {
  const read = names
    .filter((name) => !env[name] && env[`${name}_FILE`])
    .map((name) => [name, secretFile(`${name}_FILE`, env[`${name}_FILE`] ?? '')]);
  return { ...env, ...Object.fromEntries(read) };
}

function secretFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw invalid('ENV_INVALID', `These environment variables are wrong:\n  ${name}: can not be read`, {
      cause,
    });
  }
}
