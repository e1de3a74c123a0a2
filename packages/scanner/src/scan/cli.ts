/** The command line of one scan. What is secret goes by the environment, never by arguments. */

import { type RunResult, run } from './process.ts';
import { LAYOUT, type ScanDir } from './scan-dir.ts';

export interface Invocation {
  trivyPath: string;
  /** The database's directory, resolved once. */
  databaseDir: string;
  dir: ScanDir;
  signal?: AbortSignal | undefined;
  /** Behind everything else on the machine. */
  nice?: boolean | undefined;
}

export interface ScanMode {
  /** `memory`, or the URL of a Redis. */
  cacheBackend: string;
  /** Whether `java-db` of the database's directory is the index of Java archives, or an empty one in its place. */
  javaIndex: 'real' | 'empty';
  parallel: number;
}

const CACHE_TTL = '168h';
/**
 * Parts of the key under which the scanner caches what it read of a layer, which `--skip-files` is. They exclude no file:
 * the scanner cleans each to `.`, and no file of an image is called that. A path that a file could have would hide it.
 */
export const CACHE_KEYS = {
  /** What an older version cached may come from other bytes than the layer's: it gave the scanner images' own documents. */
  generation: 'generation-2/..',
  /** What was read of archives without their index must not be found again once the index is there. */
  withoutJavaIndex: 'without-java-index/..',
};
/** Our own watchdog lets the scanner's end first: that one cleans up and says why. */
const WATCHDOG_MARGIN_MS = 10_000;
const QUIET = ['--no-progress', '--skip-version-check', '--disable-telemetry'];

/** Scans one image of the layout in `dir` and writes the whole report to `output`, relative to it. */
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
  return runTrivy(invocation, args, { env: cacheEnv(mode.cacheBackend), timeoutMs });
}

/** Fetches a database into `cacheDir`; it lands in `<cacheDir>/db` or `<cacheDir>/java-db`. */
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

/** Turns one of its JSON reports into another format. */
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
  { trivyPath, dir, signal, nice }: Omit<Invocation, 'databaseDir'>,
  args: string[],
  options: { env: Record<string, string>; timeoutMs: number },
): Promise<RunResult> {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: dir.home,
    TMPDIR: dir.tmp,
    ...options.env,
  };
  return run(trivyPath, args, { cwd: dir.path, env, signal, nice, timeoutMs: options.timeoutMs });
}

/** Only `redis://` is known to the scanner; TLS is a switch of its own. */
function cacheEnv(backend: string): Record<string, string> {
  if (!backend.startsWith('rediss://')) return { TRIVY_CACHE_BACKEND: backend };
  return { TRIVY_CACHE_BACKEND: backend.replace(/^rediss/, 'redis'), TRIVY_REDIS_TLS: 'true' };
}
