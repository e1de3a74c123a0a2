/**
 * Runs processes alternately, A B A B …, so that a drift of the machine's speed affects both.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Cost } from './figures.ts';

export interface Contender {
  /** Resets the state before each run; not timed. */
  reset(): Promise<void>;
  run(): Promise<Cost>;
}

interface Run {
  seconds: number;
  output: string;
}

export async function run(argv: string[], input = ''): Promise<Run> {
  const [command = '', ...args] = argv;
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  // A command that reads nothing may have ended.
  child.stdin.once('error', () => {}).end(input);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((resolve, reject) =>
    child.once('close', resolve).once('error', reject),
  );
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${String(code)}`);
  return { seconds: (performance.now() - started) / 1000, output: output.trim() };
}

/**
 * With the CPU time and the peak memory of the command and its children, which only their parent
 * can ask for: another Node between us and them, which waits for them.
 */
export async function costed(argv: string[]): Promise<Cost> {
  const timer = path.join(import.meta.dirname, 'copies/timed-run.ts');
  const { output } = await run([process.execPath, timer, ...argv]);
  return JSON.parse(output.slice(output.lastIndexOf('\n') + 1));
}

export interface Rounds {
  /** Runs before those that count. */
  warmUps: number;
  runs: number;
}

export async function compare(
  contenders: readonly Contender[],
  { warmUps, runs }: Rounds,
): Promise<Cost[][]> {
  const costs = contenders.map((): Cost[] => []);
  for (let turn = -warmUps; turn < runs; turn += 1) {
    for (const [nth, contender] of contenders.entries()) {
      await contender.reset();
      await run(['sync']); // Else the disk is busy with what the run before has written.
      const cost = await contender.run();
      if (turn >= 0) costs[nth]?.push(cost);
    }
  }
  return costs;
}
