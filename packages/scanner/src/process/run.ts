/**
 * Runs a child process in its own process group, collects its output, and always ends it on abort
 * or timeout.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { hasCode } from '@portcullis/runtime/system-error';

export interface RunOptions {
  cwd: string;
  /**
   * The whole environment: nothing is inherited, so that no secret of ours reaches a child that
   * does not need it.
   */
  env: Record<string, string>;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** Between SIGTERM and SIGKILL. */
  graceMs?: number | undefined;
  /** Run at a lower CPU priority than everything else. */
  nice?: boolean | undefined;
}

export interface RunResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

export const OUTPUT_LIMIT = 256 * 1024;

/**
 * A cancelled job ends within a second; the files of a killed process are in a directory that is
 * removed with it.
 */
const GRACE_MS = 700;

/**
 * Resolves however the process ends. @throws the signal's reason when aborted, the system's error
 * when it cannot start
 */
export type RunProgram = (
  command: string,
  args: string[],
  options: RunOptions,
) => Promise<RunResult>;

/** As `RunProgram`, in this process: where that is large, use a launcher (launcher.ts). */
export async function run(
  command: string,
  args: string[],
  options: RunOptions,
  onStart?: (pid: number) => void,
): Promise<RunResult> {
  options.signal?.throwIfAborted();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) onStart?.(child.pid);
  if (options.nice && child.pid !== undefined)
    setPriority(child.pid, backgroundNiceness(getPriority()));
  const output = { stdout: collect(child, 'stdout'), stderr: collect(child, 'stderr') };
  const guard = guardProcess(child, options);
  try {
    const [code, signal] = await waitForEnd(child);
    options.signal?.throwIfAborted();
    return {
      code,
      signal,
      stdout: output.stdout(),
      stderr: output.stderr(),
      timedOut: guard.timedOut(),
    };
  } finally {
    guard.release();
  }
}

const NICENESS = 10;

/**
 * The niceness for a child in the background: an unprivileged account cannot lower it below its
 * parent's.
 */
export function backgroundNiceness(own: number): number {
  return Math.max(NICENESS, own);
}

function waitForEnd(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve([code, signal]));
  });
}

/** Keeps the tail: the fatal error is the last output. */
export function collect(child: ChildProcess, name: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-OUTPUT_LIMIT);
  });
  return () => text;
}

function guardProcess(child: ChildProcess, options: RunOptions) {
  let timedOut = false;
  let killTimer: NodeJS.Timeout | undefined;
  const stop = () => {
    killGroup(child, 'SIGTERM');
    killTimer ??= setTimeout(() => killGroup(child, 'SIGKILL'), options.graceMs ?? GRACE_MS);
  };
  const watchdog = options.timeoutMs
    ? setTimeout(() => {
        timedOut = true;
        stop();
      }, options.timeoutMs)
    : undefined;
  options.signal?.addEventListener('abort', stop, { once: true });
  return {
    timedOut: () => timedOut,
    release() {
      clearTimeout(watchdog);
      clearTimeout(killTimer);
      options.signal?.removeEventListener('abort', stop);
    },
  };
}

export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child.pid, signal);
}

/** `-pid` is the process group: the compilers that `go build` starts end with it. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}
