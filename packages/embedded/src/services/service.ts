/** Starts and stops one long-running program, in its own process group. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@portcullis/errors';
import { identityOf, isAlive } from '@portcullis/runtime';

export interface ServiceOptions {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string | undefined;
  uid?: number | undefined;
  gid?: number | undefined;
  /** The signal on which it shuts down cleanly. */
  stopSignal?: NodeJS.Signals | undefined;
  /** How long it may take to shut down before it is killed. */
  graceMs?: number | undefined;
  onLine?: ((line: string, stream: 'out' | 'err') => void) | undefined;
  /**
   * Called as soon as the process exists, long before it is ready, so that it can be found again
   * after a crash.
   */
  onSpawn?: ((spawned: Spawned) => void) | undefined;
}

export interface Spawned {
  name: string;
  /** See `identityOf`. */
  identity: string;
  stopSignal: NodeJS.Signals;
}

/** Callbacks for the caller that runs the service. */
export type ServiceHooks = Pick<ServiceOptions, 'onLine' | 'onSpawn'>;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Service {
  readonly name: string;
  readonly pid: number;
  /** See `identityOf`. */
  readonly identity: string;
  readonly exited: Promise<Exit>;
  /** The last lines of its output, for the error message. */
  tail(): string;
  /**
   * Stops it with its signal, then by SIGKILL; resolves when nothing of its process group is left.
   */
  stop(): Promise<void>;
  kill(): void;
}

/**
 * It gets its own process group: Ctrl-C on the terminal reaches only us, so that we stop services
 * in order, and its descendants can be killed with it. Where this process is killed, the kernel
 * sends the service its signal to stop.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { env, cwd, uid, gid } = options;
  const [command, ...args] = endingWithUs(options);
  const child = spawn(command, args, {
    env,
    cwd,
    uid,
    gid,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = exitOf(child);
  const tail = follow(child, options.onLine);
  const pid = await waitForStart(child, options.name);
  const identity = identityOf(pid) ?? `${pid} gone`;
  options.onSpawn?.({ name: options.name, identity, stopSignal: options.stopSignal ?? 'SIGTERM' });
  const killGroup = () => signalGroup(pid, 'SIGKILL');
  return {
    name: options.name,
    pid,
    identity,
    exited,
    tail: () => tail.join('\n'),
    kill: killGroup,
    stop: async () => {
      await stopChild(child, exited, options);
      killGroup();
    },
  };
}

/** Part of util-linux, which every Debian has. */
const SETPRIV = '/usr/bin/setpriv';
const HAS_SETPRIV = existsSync(SETPRIV);

function endingWithUs({
  command,
  args,
  stopSignal = 'SIGTERM',
}: ServiceOptions): [string, ...string[]] {
  if (!HAS_SETPRIV) return [command, ...args];
  return [SETPRIV, '--pdeathsig', stopSignal.replace('SIG', ''), '--', command, ...args];
}

/**
 * Waits until `check` succeeds while the service runs: after it ended, another program may answer
 * in its place. @throws unavailable `SERVICE_FAILED` when the service ended or time is up
 */
export async function untilReady(
  service: Service,
  check: () => Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let ended: Exit | null = null;
  service.exited.then((exit) => {
    ended = exit;
  });
  for (;;) {
    const answered = isAlive(service.identity) && (await check());
    if (answered && isAlive(service.identity)) return;
    if (ended !== null) throw failed(service, `ended at its start (${describeExit(ended)})`);
    if (Date.now() > deadline) throw failed(service, `was not ready after ${timeoutMs / 1000} s`);
    await sleep(20);
  }
}

export function describeExit(exit: Exit): string {
  return exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
}

/** Signals the process and everything in its group; does nothing when it is gone. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

function failed(service: Service, what: string) {
  return unavailable(
    'SERVICE_FAILED',
    `${service.name} ${what}. Its last words: ${service.tail() || '(none)'}`,
  );
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: 127, signal: null }));
  });
}

function waitForStart(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid ?? 0));
    child.once('error', (cause) =>
      reject(
        unavailable('SERVICE_FAILED', `${name} can't be started: ${cause.message}`, { cause }),
      ),
    );
  });
}

async function stopChild(
  child: ChildProcess,
  exited: Promise<Exit>,
  options: ServiceOptions,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(options.stopSignal ?? 'SIGTERM');
  const waiting = new AbortController();
  const late = sleep(options.graceMs ?? 10_000, true, { signal: waiting.signal }).catch(
    () => false,
  );
  const inTime = await Promise.race([exited.then(() => true), late.then(() => false)]);
  waiting.abort();
  if (!inTime && child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
  await exited;
}

const TAIL_LINES = 20;

function follow(child: ChildProcess, onLine: ServiceOptions['onLine']): string[] {
  const tail: string[] = [];
  const take = (stream: 'out' | 'err') => (line: string) => {
    tail.push(line);
    if (tail.length > TAIL_LINES) tail.shift();
    onLine?.(line, stream);
  };
  splitLines(child.stdout, take('out'));
  splitLines(child.stderr, take('err'));
  return tail;
}

const LONGEST_LINE = 64 * 1024;

function splitLines(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) take(line);
  });
  stream?.on('end', () => rest !== '' && take(rest));
}
