/**
 * Starts programs from a small process. To start one, Node copies the process: for a worker with
 * 300 MB of memory that takes 10 ms of CPU, during which nothing else happens in it, and each page
 * that it writes afterwards costs again.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LaunchAnswer, Order } from './launcher-process.ts';
import { type RunProgram, type RunResult, signalGroup } from './run.ts';

export interface Launcher {
  /** As `run` of run.ts. Where the small process is killed, so are its programs, by SIGKILL. */
  run: RunProgram;
  /** Ends the programs that run, and the small process. */
  close(): void;
}

const PROCESS = fileURLToPath(new URL('./launcher-process.ts', import.meta.url));
const IDLE_MS = 600_000;

interface Pending {
  pid: number | null;
  end(outcome: RunResult | Error): void;
}

/** The small process starts with the first program, and ends when there was none for a while. */
export function createLauncher(): Launcher {
  const pending = new Map<number, Pending>();
  let child: ChildProcess | null = null;
  let serial = 0;
  let idle: NodeJS.Timeout | undefined;

  function open(): ChildProcess {
    const started = fork(PROCESS, {
      env: {},
      execArgv: ['--max-semi-space-size=1', '--max-old-space-size=64'],
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.on('message', (message) => hear(message as LaunchAnswer));
    const lost = (outcome: RunResult | Error) => child === started && lose(outcome);
    started.once('error', lost);
    started.once('disconnect', () => lost(KILLED));
    started.unref();
    return started;
  }

  function hear(answer: LaunchAnswer): void {
    const known = pending.get(answer.id);
    if (!known) return;
    if ('pid' in answer) known.pid = answer.pid;
    else known.end('result' in answer ? answer.result : faultOf(answer.fault));
  }

  function lose(outcome: RunResult | Error): void {
    child = null;
    for (const { pid, end } of [...pending.values()]) {
      if (pid !== null) signalGroup(pid, 'SIGKILL');
      end(outcome);
    }
  }

  function send(order: Order): void {
    clearTimeout(idle);
    child ??= open();
    child.channel?.ref();
    child.send(order, () => {});
  }

  function rest(): void {
    if (pending.size > 0) return;
    child?.channel?.unref();
    idle = setTimeout(close, IDLE_MS).unref();
  }

  function close(): void {
    clearTimeout(idle);
    if (child?.connected) child.disconnect();
    lose(KILLED);
  }

  return {
    run(command, args, { signal, ...options }) {
      const id = ++serial;
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const abort = () => child?.send({ id, end: true }, () => {});
        signal?.addEventListener('abort', abort, { once: true });
        pending.set(id, {
          pid: null,
          end(outcome) {
            signal?.removeEventListener('abort', abort);
            pending.delete(id);
            rest();
            if (signal?.aborted) reject(signal.reason);
            else if (outcome instanceof Error) reject(outcome);
            else resolve(outcome);
          },
        });
        send({ id, program: { command, args, options } });
      });
    },
    close,
  };
}

/** How a program ended whose launcher was killed is not known. */
const KILLED: RunResult = {
  ...{ code: null, signal: 'SIGKILL', stdout: '', stderr: '', timedOut: false },
};

function faultOf({ message, code }: { message: string; code: string | null }): Error {
  return Object.assign(new Error(message), code !== null && { code });
}
