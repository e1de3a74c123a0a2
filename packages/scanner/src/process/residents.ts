/**
 * Processes that stay for the next scan: most of what a small image costs is the start of its
 * process. Whatever could let one scan meet another ends the process: an abort, a timeout, an exit
 * code, words that are not known to be harmless, memory that it keeps, and many commands.
 */
import type { ScanDir } from '../scan/scan-dir.ts';
import { type Resident, startResident } from './resident-process.ts';
import type { RunOptions, RunProgram, RunResult } from './run.ts';

export interface Residents {
  /**
   * As `run` of run.ts, without what the program writes to standard output. A program that does
   * not stay is started for each command.
   */
  run: RunProgram;
  /** Starts a process for a command that follows, unless there is one. */
  prepare(program: string): void;
  close(): Promise<void>;
}

interface ResidentsPorts {
  /** The environment of the process, which its commands do not change. */
  env: Record<string, string>;
  /** A directory for what the process writes while it works. */
  openDir(): Promise<ScanDir>;
  runOnce: RunProgram;
  /** Whether a command said nothing that another one would have to say again. */
  isSilent(stderr: string): boolean;
}

const IDLE_MS = 60_000;
const MOST_COMMANDS = 500;
const MOST_MEMORY = 256 * 1024 * 1024;
/** Of a command without a bound. */
const LONGEST_MS = 24 * 3_600_000;

interface Staying extends Resident {
  /** Of the program and its priority. */
  kind: string;
  commands: number;
}

export function createResidents({ env, openDir, runOnce, isSilent }: ResidentsPorts): Residents {
  /** Programs that do not stay. */
  const passing = new Set<string>();
  const idle = new Map<Staying, NodeJS.Timeout>();
  const living = new Map<Staying, Promise<void>>();
  let starting: Promise<void> | null = null;

  async function start(program: string, nice: boolean): Promise<Staying> {
    const dir = await openDir();
    const places = { ...env, HOME: dir.home, TMPDIR: dir.tmp };
    const resident = startResident(program, { cwd: dir.path, env: places, nice });
    const staying = { ...resident, kind: kindOf(program, nice), commands: 0 };
    const gone = resident.ended
      .then(async ({ code }) => {
        if (code !== null && !(await resident.stays)) passing.add(program);
        await dir[Symbol.asyncDispose]();
      })
      .finally(() => forget(staying));
    gone.catch(() => {});
    living.set(staying, gone);
    return staying;
  }

  function forget(staying: Staying): void {
    living.delete(staying);
    clearTimeout(idle.get(staying));
    idle.delete(staying);
  }

  function rest(staying: Staying): void {
    if (!living.has(staying)) return;
    staying.hold(false);
    idle.set(staying, setTimeout(staying.kill, IDLE_MS).unref());
  }

  async function take(program: string, nice: boolean): Promise<Staying> {
    const kind = kindOf(program, nice);
    const found = [...idle.keys()].find((staying) => staying.kind === kind);
    if (!found) return start(program, nice);
    clearTimeout(idle.get(found));
    idle.delete(found);
    found.hold(true);
    return found;
  }

  async function command(
    staying: Staying,
    args: string[],
    { signal, timeoutMs, ...options }: RunOptions,
  ): Promise<RunResult | null> {
    let stays = false;
    let isLate = false;
    const watchdog = setTimeout(() => {
      isLate = true;
      staying.kill();
    }, timeoutMs ?? LONGEST_MS);
    signal?.addEventListener('abort', staying.kill, { once: true });
    try {
      const obeyed = await staying.obey(args, options);
      signal?.throwIfAborted();
      if (obeyed === null) return isLate ? TIMED_OUT : null;
      const { memory, ...ended } = obeyed;
      staying.commands += 1;
      const mayStay = memory !== null && memory <= MOST_MEMORY && staying.commands < MOST_COMMANDS;
      stays = mayStay && ended.code === 0 && isSilent(ended.stderr);
      return { ...ended, stdout: '', timedOut: isLate && memory === null };
    } finally {
      clearTimeout(watchdog);
      signal?.removeEventListener('abort', staying.kill);
      if (stays && !isLate && !signal?.aborted) rest(staying);
      else staying.kill();
    }
  }

  return {
    async run(program, args, options) {
      options.signal?.throwIfAborted();
      await starting?.catch(() => {});
      const staying = passing.has(program) ? null : await take(program, options.nice === true);
      const result = staying && (await command(staying, args, options));
      return result ?? runOnce(program, args, options);
    },
    prepare(program) {
      if (starting || living.size > 0 || passing.has(program)) return;
      starting = start(program, false)
        .then(rest)
        .finally(() => {
          starting = null;
        });
      starting.catch(() => {});
    },
    async close() {
      await starting?.catch(() => {});
      for (const staying of living.keys()) staying.kill();
      await Promise.all(living.values());
    },
  };
}

const TIMED_OUT: RunResult = {
  ...{ code: null, signal: 'SIGKILL', stdout: '', stderr: '', timedOut: true },
};

const kindOf = (program: string, nice: boolean) => JSON.stringify([program, nice]);
