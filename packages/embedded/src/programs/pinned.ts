/**
 * Programs whose version is pinned, the registry and the scanner: the one that is configured, else
 * on PATH, else in our cache, else whichever is there first of the project's release and a build
 * from the Go module.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type AppError, isAppError } from '@portcullis/errors';
import { withLock } from '@portcullis/runtime';
import { exists, isExecutable } from '../fs.ts';
import type { BinaryOptions } from './binary.ts';
import { buildProgram, type GoModule } from './build.ts';
import { fillOnce } from './cache.ts';
import { firstOf, type Way } from './first-of.ts';
import { withProgress } from './progress.ts';
import { fetchRelease, type ProgramRelease } from './release.ts';

export interface PinnedProgram {
  /** Of the file in the cache. */
  name: string;
  /** For people: `the scanner (Trivy 0.74.0)`. */
  title: string;
  /** Of the folder in the cache: another value is another program. */
  pin: string;
  /** Names to look for on PATH, best first. */
  names: readonly string[];
  /** By Node's name of the architecture; Linux alone. The URL is below the base of the releases. */
  releases: Readonly<Record<string, ProgramRelease>>;
  module: GoModule;
  /** How long a build takes on two cores, in words. */
  buildTime: string;
  /** The version, null where it names none. @throws AppError where this program is refused */
  check(path: string, signal?: AbortSignal): Promise<string | null>;
  /** The error where there is none. */
  missing(reasons: readonly string[]): AppError;
}

export interface PinnedOptions extends BinaryOptions {
  /** If set, no other program is used. */
  given?: string | undefined;
  /** Leaves out the programs on PATH, for tests that rely on the pinned version. */
  pinnedOnly?: boolean | undefined;
  /** Base URL of the releases; null forbids them. */
  releases?: string | null | undefined;
  /** Resolves when the processor is free for a build. */
  mayBuild?: Promise<unknown> | undefined;
  /** Called where a build begins: from then on the program takes minutes. */
  onBuild?: (() => void) | undefined;
}

type AcquiredHow = 'given' | 'path' | 'cached' | 'downloaded' | 'built';

export interface AcquiredProgram {
  path: string;
  version: string | null;
  how: AcquiredHow;
}

const RELEASES = 'https://github.com';

/** @throws what `check` or `missing` of the program says */
export async function acquirePinned(
  program: PinnedProgram,
  options: PinnedOptions,
): Promise<AcquiredProgram> {
  // It may fail long before a build looks at it, and where none does.
  options.mayBuild?.catch(() => {});
  if (options.given) return checkArchive(program, options.given, 'given', options);
  const dir = join(options.cacheDir, program.name, program.pin);
  const cached = join(dir, program.name);
  const there =
    (await onPath(program, options)) ?? (await accept(program, cached, 'cached', options));
  if (there !== null) return there;
  await forgetRefused(program, dir, options);
  let how: AcquiredHow = 'cached';
  const fill = async (draft: string) => {
    how = await obtain(program, draft, options);
  };
  const onWait = () => options.log?.(`waiting for another process that sets up ${program.title}`);
  await fillOnce(dir, fill, { ...options, onWait });
  return checkArchive(program, cached, how, options);
}

/** What is in the cache and does not run is made again. */
async function forgetRefused(
  program: PinnedProgram,
  dir: string,
  options: PinnedOptions,
): Promise<void> {
  if (!(await exists(dir))) return;
  await withLock(
    `${dir}.lock`,
    async () => {
      if ((await accept(program, join(dir, program.name), 'cached', options)) === null)
        await rm(dir, { recursive: true, force: true });
    },
    options,
  );
}

/** Leaves the program alone in `draft`. */
async function obtain(
  program: PinnedProgram,
  draft: string,
  options: PinnedOptions,
): Promise<AcquiredHow> {
  const ways = [release(program, draft, options), build(program, draft, options)];
  try {
    const { how, path } = await firstOf(
      ways.filter((way) => way !== null),
      options.signal,
    );
    await rename(path, join(draft, program.name));
    return how;
  } catch (error) {
    options.signal?.throwIfAborted();
    const faults = error instanceof AggregateError ? error.errors : [error];
    throw program.missing(faults.map(reasonOf));
  } finally {
    for (const way of WAYS) await rm(join(draft, way), { recursive: true, force: true });
  }
}

/** Folders of the draft. */
const WAYS = ['.release', '.build'] as const;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

interface Obtained {
  how: AcquiredHow;
  path: string;
}

function release(
  program: PinnedProgram,
  draft: string,
  { releases = RELEASES, ...options }: PinnedOptions,
): Way<Obtained> | null {
  const found = process.platform === 'linux' ? program.releases[process.arch] : undefined;
  if (found === undefined || releases === null) return null;
  const url = `${releases.replace(/\/+$/, '')}/${found.url}`;
  return async (signal, slow) => {
    let progress = '';
    const onBytes = (received: number, total: number | null) => {
      progress = total === null ? mb(received) : `${mb(received)} of ${mb(total)}`;
    };
    const downloads = join(options.cacheDir, 'downloads');
    const path = join(await folder(draft, '.release'), program.name);
    const doing = `downloading ${program.title}`;
    await withProgress({ doing, log: options.log, detail: async () => progress }, () =>
      fetchRelease({ ...found, url }, path, { downloads, env: options.env, signal, slow, onBytes }),
    ).catch((error: unknown) => {
      if (!signal.aborted) options.log?.(`${program.title} is built instead: ${reasonOf(error)}`);
      throw error;
    });
    await program.check(path, signal);
    return { how: 'downloaded', path };
  };
}

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

function build(
  program: PinnedProgram,
  draft: string,
  { mayBuild, onBuild, ...options }: PinnedOptions,
): Way<Obtained> {
  return async (signal) => {
    await Promise.race([Promise.allSettled([mayBuild]), aborted(signal)]);
    onBuild?.();
    const path = join(await folder(draft, '.build'), program.name);
    const doing = `building ${program.title} from its Go module, ${program.buildTime}, once`;
    await withProgress({ doing, log: options.log }, () =>
      buildProgram(program.module, path, { ...options, signal }),
    );
    await program.check(path, signal);
    return { how: 'built', path };
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function folder(draft: string, way: (typeof WAYS)[number]): Promise<string> {
  const dir = join(draft, way);
  await mkdir(dir, { recursive: true });
  return dir;
}

async function onPath(
  program: PinnedProgram,
  options: PinnedOptions,
): Promise<AcquiredProgram | null> {
  if (options.pinnedOnly) return null;
  const dirs = (options.env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const path of program.names.flatMap((name) => dirs.map((dir) => join(dir, name)))) {
    const found = await accept(program, path, 'path', options);
    if (found !== null) return found;
  }
  return null;
}

/** Null where there is none or it is refused; what was refused is logged. */
async function accept(
  program: PinnedProgram,
  path: string,
  how: AcquiredHow,
  options: PinnedOptions,
): Promise<AcquiredProgram | null> {
  if (!(await isExecutable(path))) return null;
  try {
    return await checkArchive(program, path, how, options);
  } catch (error) {
    if (!isAppError(error)) throw error;
    options.log?.(`${path} is not used: ${error.message}`);
    return null;
  }
}

async function checkArchive(
  program: PinnedProgram,
  path: string,
  how: AcquiredHow,
  { signal }: PinnedOptions,
): Promise<AcquiredProgram> {
  signal?.throwIfAborted();
  return { path, version: await program.check(path, signal), how };
}
