/**
 * A running `trivy server`: it has the vulnerability database open and compares stored analyses
 * with it. It listens on loopback, requires a token that only this process knows, and ends with
 * this process, however that ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@portcullis/errors';
import { backgroundNiceness, collect, killGroup, signalGroup } from '../process/run.ts';
import { CACHE_BACKEND, type Invocation } from '../scan/cli.ts';
import { listeningPort } from './listening-port.ts';
import { createServerWarnings, type ServerWarnings } from './server-warnings.ts';

export interface ServerProcess extends AsyncDisposable {
  /** `http://127.0.0.1:12345` */
  url: string;
  token: string;
  pid: number;
  /** How often it warned that it could not compare something. */
  warnings: Pick<ServerWarnings, 'count' | 'countBefore'>;
  hasEnded(): boolean;
  /** Whether it ends at once: its connections break before the end of the process is known. */
  isEnding(): Promise<boolean>;
}

const STARTS_WITHIN_MS = 60_000;
const LOOK_MS = 50;
const GRACE_MS = 2_000;
const ENDING_MS = 1_000;

/** Go collects garbage so that its heap stays below. */
const MEMORY = '768MiB';
/**
 * Above it an allocation fails and the server ends: private memory in KiB. The database is a mapped
 * file and does not count.
 */
const HARD_LIMIT_KIB = 2 * 1024 * 1024;

/**
 * The shell limits the memory and then becomes Trivy. Its child waits for the end of our pipe and
 * ends Trivy then: a worker that is killed can't do that.
 */
const SCRIPT = [
  'ulimit -d "$1"',
  'shift',
  'exec 3<&0',
  '{ read -r _ <&3; kill -TERM $$; } >/dev/null 2>&1 &',
  'exec "$@" 3<&- </dev/null',
].join('\n');

/** @throws unavailable `REMATCH_UNAVAILABLE` */
export async function startServer(
  { trivyPath, databaseDir, dir, signal }: Invocation,
  redisUrl: string,
): Promise<ServerProcess> {
  signal?.throwIfAborted();
  if (process.platform !== 'linux')
    throw unavailable('REMATCH_UNAVAILABLE', 're-matches need Linux');
  const token = randomBytes(32).toString('base64url');
  const args = [
    ...['server', '--listen', '127.0.0.1:0', '--cache-dir', databaseDir],
    ...['--skip-db-update', '--cache-ttl', '1h', '--no-progress'],
  ];
  const child = spawn('sh', ['-c', SCRIPT, 'sh', String(HARD_LIMIT_KIB), trivyPath, ...args], {
    cwd: dir.path,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: dir.home,
      TMPDIR: dir.tmp,
      GOMEMLIMIT: MEMORY,
      TRIVY_TOKEN: token,
      [CACHE_BACKEND]: redisUrl,
    },
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const stderr = collect(child, 'stderr');
  const warnings = createServerWarnings();
  child.stderr?.on('data', warnings.read);
  child.once('close', warnings.end);
  child.stdin?.on('error', () => {});
  // At once, while the waiting child keeps the number of the process group from being used again.
  child.once('exit', () => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL'));
  const end = () => endServer(child);
  try {
    const pid = await waitForStart(child);
    setPriority(pid, backgroundNiceness(getPriority()));
    const port = await portOf(child, pid, signal);
    const url = `http://127.0.0.1:${port}`;
    return {
      url,
      token,
      pid,
      warnings,
      hasEnded: () => hasEnded(child),
      isEnding: () => isEnding(child),
      [Symbol.asyncDispose]: end,
    };
  } catch (cause) {
    await end();
    signal?.throwIfAborted();
    throw unavailable('REMATCH_UNAVAILABLE', "the scanner's server does not start", {
      cause: new Error(stderr().slice(-2_000), { cause }),
    });
  }
}

async function waitForStart(child: ChildProcess): Promise<number> {
  await once(child, 'spawn');
  if (child.pid === undefined) throw new Error('it has no process id');
  return child.pid;
}

async function portOf(
  child: ChildProcess,
  pid: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (const end = Date.now() + STARTS_WITHIN_MS; Date.now() < end; await sleep(LOOK_MS)) {
    signal?.throwIfAborted();
    if (hasEnded(child)) throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`);
    const port = await listeningPort(pid);
    if (port !== null) return port;
  }
  throw new Error('it does not listen');
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function isEnding(child: ChildProcess): Promise<boolean> {
  if (hasEnded(child)) return true;
  const exit = once(child, 'exit', { signal: AbortSignal.timeout(ENDING_MS) });
  return exit.then(
    () => true,
    () => hasEnded(child),
  );
}

async function endServer(child: ChildProcess): Promise<void> {
  child.stdin?.destroy();
  if (child.pid === undefined || hasEnded(child)) return;
  const closed = once(child, 'close');
  killGroup(child, 'SIGTERM');
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
