/**
 * The process that starts programs for a launcher (launcher.ts). It ends with the process that
 * started it, however that ends, and the programs end with it.
 */
import { type RunOptions, type RunResult, run } from './run.ts';

/** Starts a program, or ends the one that was started under this number. */
export type Order = { id: number } & ({ program: LaunchedProgram } | { end: true });

export interface LaunchedProgram {
  command: string;
  args: string[];
  options: Omit<RunOptions, 'signal'>;
}

export type LaunchAnswer = { id: number } & (
  | { pid: number }
  | { result: RunResult }
  | { fault: { message: string; code: string | null } }
);

const running = new Map<number, AbortController>();

async function start(id: number, { command, args, options }: LaunchedProgram): Promise<void> {
  const ending = new AbortController();
  running.set(id, ending);
  try {
    const withSignal = { ...options, signal: ending.signal };
    const result = await run(command, args, withSignal, (pid) => answer({ id, pid }));
    answer({ id, result });
  } catch (error) {
    answer({ id, fault: faultOf(error) });
  } finally {
    running.delete(id);
  }
}

function faultOf(error: unknown): { message: string; code: string | null } {
  if (!(error instanceof Error)) return { message: String(error), code: null };
  return { message: error.message, code: 'code' in error ? String(error.code) : null };
}

/** The one that asked may be gone. */
function answer(message: LaunchAnswer): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

process.on('message', (order: Order) => {
  if ('program' in order) void start(order.id, order.program);
  else running.get(order.id)?.abort();
});
process.on('disconnect', () => {
  for (const ending of running.values()) ending.abort();
});
// Of a terminal, or of all processes of a container: the one that started this one decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
