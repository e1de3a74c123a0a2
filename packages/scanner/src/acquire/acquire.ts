/**
 * Finds the Trivy binary or makes one, in this order: the configured path, PATH, our cache, a build
 * from the Go module in ../trivy (its go.sum pins every byte), the official release, the same build
 * with a downloaded Go toolchain.
 */
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type AppError, isAppError, unavailable } from '@portcullis/errors';
import { type Logger, lock } from '@portcullis/runtime';
import { run } from '../scan/process.ts';
import { buildTrivy } from './build.ts';
import { downloadTrivy } from './release.ts';
import {
  goBuildsPinned,
  PINNED_VERSION,
  parseTrivyVersion,
  type VersionFault,
  versionFault,
} from './version.ts';

export interface AcquireOptions {
  /** Where built or downloaded binaries are cached for the next start. */
  cacheDir: string;
  log: Logger;
  /** PATH, HOME, and the settings of Go and proxies are read from it. */
  env: Record<string, string | undefined>;
  /** TRIVY_PATH: if set, no other binary is used. */
  trivyPath?: string | undefined;
  /** Defaults to `go` on PATH. */
  goBinary?: string | undefined;
  /**
   * Downloads a Go toolchain whose `go version` output satisfies `accepts`. This is the last resort
   * on a machine without Go that cannot reach the releases; without this function it is not tried.
   */
  fetchGo?: ((accepts: (version: string) => boolean) => Promise<FetchedGo>) | undefined;
  /** Base URL of the releases; defaults to Trivy's own, null forbids downloads. */
  releases?: string | null | undefined;
  signal?: AbortSignal | undefined;
}

interface FetchedGo {
  path: string;
  /** Variables to add to the environment in which the binary runs. */
  env: Record<string, string>;
}

type AcquiredHow = 'given' | 'path' | 'cached' | 'built' | 'downloaded';

export interface AcquiredTrivy {
  path: string;
  version: string;
  how: AcquiredHow;
}

/** @throws unavailable `SCANNER_UNAVAILABLE`, whose message says what to do */
export async function acquireTrivy(options: AcquireOptions): Promise<AcquiredTrivy> {
  if (options.trivyPath) return checked(options.trivyPath, 'given', options);
  const cached = cachedPath(options.cacheDir);
  const there = (await onPath(options)) ?? (await accepted(cached, 'cached', options));
  return there ?? obtain(cached, options);
}

function cachedPath(cacheDir: string): string {
  return join(cacheDir, 'trivy', PINNED_VERSION, 'trivy');
}

/**
 * Runs under a lock: a build takes minutes and gigabytes, and processes that waited find its
 * result.
 */
async function obtain(target: string, options: AcquireOptions): Promise<AcquiredTrivy> {
  await using _lock = await lock(`${target}.lock`, 'heartbeat', { signal: options.signal });
  const meanwhile = await accepted(target, 'cached', options);
  if (meanwhile) return meanwhile;
  const failures: string[] = [];
  for (const [how, make] of WAYS) {
    try {
      if (await make(target, options)) return await checked(target, how, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      options.log.warn({ err: error, how }, 'scanner not acquired this way');
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw missing(failures);
}

type Way = (target: string, options: AcquireOptions) => Promise<boolean>;

/** Each way returns false where it does not apply to this machine. */
const WAYS: [AcquiredHow, Way][] = [
  ['built', build],
  ['downloaded', download],
  ['built', buildWithFetchedGo],
];

async function build(target: string, options: AcquireOptions): Promise<boolean> {
  const { signal, goBinary = 'go' } = options;
  const env = definedOf(options.env);
  if (!(await canBuild(goBinary, env, signal))) return false;
  await buildWith({ path: goBinary, env: {} }, target, options);
  return true;
}

async function buildWithFetchedGo(target: string, options: AcquireOptions): Promise<boolean> {
  if (options.fetchGo === undefined) return false;
  await buildWith(await options.fetchGo(goBuildsPinned), target, options);
  return true;
}

async function buildWith(
  go: FetchedGo,
  target: string,
  { log, signal, env }: AcquireOptions,
): Promise<void> {
  log.info(
    { version: PINNED_VERSION },
    'building the scanner; this takes five to ten minutes, once',
  );
  await buildTrivy({ goBinary: go.path, target, env: { ...definedOf(env), ...go.env }, signal });
}

async function canBuild(
  go: string,
  env: Record<string, string>,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    const { code, stdout } = await run(go, ['version'], {
      cwd: '/',
      env,
      signal,
      timeoutMs: 30_000,
    });
    return code === 0 && goBuildsPinned(stdout);
  } catch {
    signal?.throwIfAborted();
    return false;
  }
}

async function download(
  target: string,
  { log, releases, signal, env }: AcquireOptions,
): Promise<boolean> {
  if (releases === null) return false;
  log.info({ version: PINNED_VERSION }, 'downloading the scanner');
  await downloadTrivy({ target, releases, signal, env: definedOf(env) });
  return true;
}

async function onPath(options: AcquireOptions): Promise<AcquiredTrivy | null> {
  for (const dir of (options.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const found = await accepted(join(dir, 'trivy'), 'path', options);
    if (found) return found;
  }
  return null;
}

/** Returns null where there is no binary or its version is refused; a refused version is logged. */
async function accepted(
  path: string,
  how: AcquiredHow,
  options: AcquireOptions,
): Promise<AcquiredTrivy | null> {
  if (!(await isExecutable(path))) return null;
  try {
    return await checked(path, how, options);
  } catch (error) {
    if (!isAppError(error)) throw error;
    options.log.warn({ path, reason: error.message }, 'this scanner is not used');
    return null;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function checked(
  path: string,
  how: AcquiredHow,
  options: AcquireOptions,
): Promise<AcquiredTrivy> {
  const version = await versionOf(path, options);
  const fault = versionFault(version);
  if (version === null || fault) throw refused(path, version, fault ?? 'unknown');
  return { path, version, how };
}

/** Runs in an empty directory: Trivy also reports on any database that it finds in its HOME. */
async function versionOf(path: string, { signal }: AcquireOptions): Promise<string | null> {
  const env = { HOME: '/nonexistent', TRIVY_CACHE_DIR: '/nonexistent' };
  try {
    const { stdout } = await run(path, ['--version'], { cwd: '/', env, signal, timeoutMs: 30_000 });
    return parseTrivyVersion(stdout);
  } catch {
    signal?.throwIfAborted();
    return null;
  }
}

const FAULTS = {
  unknown: 'does not run as Trivy, or reports no version',
  malicious: 'is a version that an intruder published: remove it',
  too_old: 'is too old: 0.68 or newer is needed',
} as const satisfies Record<VersionFault, string>;

function refused(path: string, version: string | null, fault: VersionFault): AppError {
  const name = version === null ? path : `${path} (${version})`;
  return unavailable('SCANNER_UNAVAILABLE', `the scanner ${name} ${FAULTS[fault]}`);
}

function missing(failures: string[]): AppError {
  const advice = `install Trivy ${PINNED_VERSION} and name it in TRIVY_PATH, or install Go 1.26.3 or a later 1.26 so that it can be built`;
  return unavailable(
    'SCANNER_UNAVAILABLE',
    ['there is no scanner', ...failures, advice].join('; '),
  );
}

function definedOf(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
