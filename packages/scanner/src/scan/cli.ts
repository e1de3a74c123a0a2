/**
 * Command lines of Trivy: scan, download, convert. Secrets are passed in the environment, never as
 * arguments.
 */

import { traced } from '@portcullis/runtime';
import type { RunProgram, RunResult } from '../process/run.ts';
import { LAYOUT, type ScanDir } from './scan-dir.ts';

/** Where Trivy is, and what starts it. */
export interface Trivy {
  trivyPath: string;
  run: RunProgram;
}

export interface Invocation extends Trivy {
  /** The database's directory, resolved once per scan. */
  databaseDir: string;
  dir: ScanDir;
  signal?: AbortSignal | undefined;
  /** Run at a lower CPU priority than everything else. */
  nice?: boolean | undefined;
}

export interface ScanMode {
  /** `memory`, or the URL of a relay of Redis (redis-relay.ts). */
  cacheBackend: string;
  /**
   * Whether `java-db` of the database's directory is the real index of Java archives or an empty
   * one.
   */
  javaIndex: 'real' | 'empty';
  parallel: number;
}

const CACHE_TTL = '168h';
/** In the environment, because the URL has a password. */
export const CACHE_BACKEND = 'TRIVY_CACHE_BACKEND';
/**
 * Parts of the key under which Trivy caches its analysis of a layer: `--skip-files` is part of that
 * key. They exclude no file: Trivy cleans each to `.`, and no file of an image has that name. A
 * path that a file could have would hide it.
 */
export const CACHE_KEYS = {
  /**
   * Entries cached by older versions may come from other bytes than the layer's: they passed
   * images' own documents to Trivy.
   */
  generation: 'generation-2/..',
  /** Analyses of archives made without the Java index must not be found once the index exists. */
  withoutJavaIndex: 'without-java-index/..',
};
/** Trivy's own timeout fires before ours: Trivy cleans up and reports the cause. */
const WATCHDOG_MARGIN_MS = 10_000;
/**
 * Half of Trivy's start is Go's collector at work on a heap of megabytes. With these it waits, and
 * takes no more memory than before for a large image.
 */
export const COLLECTOR = { GOGC: '300', GOMEMLIMIT: '512MiB' };
const QUIET = ['--no-progress', '--skip-version-check', '--disable-telemetry'];

/**
 * Scans one image of the layout in `dir` and writes the whole report to `output`, relative to it.
 */
export function runScan(
  invocation: Invocation,
  mode: ScanMode,
  image: { digest: string; output: string; timeoutSeconds: number },
): Promise<RunResult> {
  const args = [
    ...[
      'image',
      '--input',
      `${LAYOUT}@${image.digest}`,
      '--format',
      'json',
      '--output',
      image.output,
    ],
    ...['--scanners', 'vuln', '--pkg-types', 'os,library', '--list-all-pkgs'],
    ...[
      '--skip-db-update',
      '--skip-java-db-update',
      '--offline-scan',
      '--skip-vex-repo-update',
      ...QUIET,
    ],
    ...['--cache-dir', invocation.databaseDir, '--cache-ttl', CACHE_TTL],
    ...['--skip-files', CACHE_KEYS.generation],
    ...['--timeout', `${image.timeoutSeconds}s`, '--parallel', String(mode.parallel)],
    ...(mode.javaIndex === 'empty' ? ['--skip-files', CACHE_KEYS.withoutJavaIndex] : []),
  ];
  const timeoutMs = image.timeoutSeconds * 1000 + WATCHDOG_MARGIN_MS;
  const env = { ...COLLECTOR, [CACHE_BACKEND]: mode.cacheBackend };
  return runTrivy(invocation, args, { env, timeoutMs });
}

/** Downloads a database to `<cacheDir>/db` or `<cacheDir>/java-db`. */
export function runDownload(
  invocation: Omit<Invocation, 'databaseDir'>,
  args: { kind: 'db' | 'java-db'; cacheDir: string; repositories: string[]; timeoutMs: number },
  env: Record<string, string>,
): Promise<RunResult> {
  const only = args.kind === 'db' ? '--download-db-only' : '--download-java-db-only';
  const repositories = args.repositories.flatMap((repository) => [
    `--${args.kind}-repository`,
    repository,
  ]);
  const timeout = `${Math.ceil(args.timeoutMs / 1000)}s`;
  return runTrivy(
    invocation,
    ['image', only, ...repositories, '--cache-dir', args.cacheDir, '--timeout', timeout, ...QUIET],
    { env, timeoutMs: args.timeoutMs + WATCHDOG_MARGIN_MS },
  );
}

/** Converts one of Trivy's JSON reports into another format. */
export function runConvert(
  invocation: Omit<Invocation, 'databaseDir'>,
  args: { format: string; input: string; output: string; packages: boolean },
): Promise<RunResult> {
  const output = [
    '--format',
    args.format,
    '--output',
    args.output,
    `--list-all-pkgs=${args.packages}`,
  ];
  return runTrivy(invocation, ['convert', ...output, args.input], { env: {}, timeoutMs: 120_000 });
}

function runTrivy(
  { trivyPath, dir, run, signal, nice }: Omit<Invocation, 'databaseDir'>,
  args: string[],
  options: { env: Record<string, string>; timeoutMs: number },
): Promise<RunResult> {
  const { timeoutMs } = options;
  return traced({ name: `trivy ${args[0]}`, kind: 'internal' }, async (span) => {
    const env = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: dir.home,
      TMPDIR: dir.tmp,
      ...(span && { TRACEPARENT: span.traceparent }),
      ...options.env,
    };
    const result = await run(trivyPath, args, { cwd: dir.path, env, signal, nice, timeoutMs });
    span?.note({ 'process.exit.code': result.code });
    if (result.code !== 0) span?.fail(result.timedOut ? 'timeout' : 'exit');
    return result;
  });
}
