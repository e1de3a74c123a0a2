/** Reads the configuration of a process from the environment and from files. */
import { readFileSync } from 'node:fs';
import { invalid, isAppError } from '@portcullis/errors';
import { z } from 'zod';

export type Env = Record<string, string | undefined>;

/**
 * Parses a process's environment variables. Those marked as secret can also be given as a file:
 * `NAME_FILE` instead of `NAME`, as container engines mount secrets.
 */
const secrets = z.registry<{ fromFile: true }>();

/**
 * Marks a variable of a schema as a secret. Call it outermost: a schema that wraps it later loses
 * the mark.
 */
export function secret<S extends z.ZodType>(schema: S): S {
  secrets.add(schema, { fromFile: true });
  return schema;
}

/** The names of a schema's variables that may be given as `NAME_FILE`. */
export function secretNames(schema: z.ZodType): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape)
    .filter(([, field]) => field instanceof z.ZodType && secrets.has(field))
    .map(([name]) => name);
}

/**
 * Reads a process's settings once, at its start. All faults are reported at once; `main.ts` prints
 * the message and exits. An empty variable or file counts as absent, as compose files and charts
 * leave them. @throws invalid `ENV_INVALID`
 */
export function parseEnv<S extends z.ZodType>(schema: S, env: Env): z.output<S> {
  const { given, faults } = withFiles(env, secretNames(schema));
  const parsed = schema.safeParse(present(given));
  if (parsed.success && faults.length === 0) return parsed.data;
  throw wrong([...faults, ...(parsed.error?.issues ?? []).map(describe).filter(unless(faults))]);
}

/**
 * Resolves secrets that are given as files: where `NAME` is absent and `NAME_FILE` is set, `NAME`
 * becomes the file's content. For variables that are read without a schema. @throws invalid
 * `ENV_INVALID`
 */
export function readSecretFiles(env: Env, names: readonly string[]): Env {
  const { given, faults } = withFiles(env, names);
  if (faults.length > 0) throw wrong(faults);
  return given;
}

/** One wrong variable. */
interface Fault {
  name: string;
  message: string;
}

const Faults = z.object({ faults: z.array(z.object({ name: z.string(), message: z.string() })) });

/**
 * Reads the parts of the settings that have separate schemas or readers; the faults of all parts
 * are reported at once, one for each variable. @throws invalid `ENV_INVALID`, and any error of a
 * part that names no variables
 */
export function readAll<P extends Record<string, () => unknown>>(
  parts: P,
): { [K in keyof P]: ReturnType<P[K]> } {
  const read: Partial<{ [K in keyof P]: ReturnType<P[K]> }> = {};
  const faults = new Map<string, Fault>();
  for (const name of Object.keys(parts) as (keyof P)[]) {
    try {
      read[name] = parts[name]?.() as ReturnType<P[typeof name]>;
    } catch (error) {
      for (const fault of faultsOf(error))
        if (!faults.has(fault.name)) faults.set(fault.name, fault);
    }
  }
  if (faults.size > 0) throw wrong([...faults.values()]);
  return read as { [K in keyof P]: ReturnType<P[K]> };
}

/** @throws the error itself where it is not about variables */
function faultsOf(error: unknown): Fault[] {
  const found = isAppError(error) ? Faults.safeParse(error.detail) : null;
  if (!found?.success) throw error;
  return found.data.faults;
}

function withFiles(env: Env, names: readonly string[]): { given: Env; faults: Fault[] } {
  const given = { ...env };
  const faults: Fault[] = [];
  for (const name of names) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    const text = secretFile(file);
    if (text === null)
      faults.push({ name, message: `the file that ${name}_FILE names can not be read` });
    else if (text !== '' && env[name])
      faults.push({ name, message: `given twice, also as ${name}_FILE: drop one of them` });
    else if (text !== '') given[name] = text;
  }
  return { given, faults };
}

/** Without the line end that editors and `echo` add. */
function secretFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return null;
  }
}

function present(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/** Only names and reasons: a faulty value may be a secret. */
function describe(issue: { path: PropertyKey[]; message: string }): Fault {
  return { name: issue.path.join('.') || '(settings)', message: issue.message };
}

/** A secret whose file cannot be read is not reported as missing as well. */
function unless(reported: readonly Fault[]): (fault: Fault) => boolean {
  return ({ name }) => !reported.some((each) => each.name === name);
}

function wrong(faults: readonly Fault[]): Error {
  const lines = faults.map(({ name, message }) => `  ${name}: ${message}`);
  const text = `These environment variables are wrong:\n${lines.join('\n')}`;
  return invalid('ENV_INVALID', text, { detail: { faults } });
}
