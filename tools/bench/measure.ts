/**
 * Runs whole processes alternately, A B A B …, so that a drift of the machine's speed affects both.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';

export interface Contender {
  name: string;
  argv: string[];
  /** Resets the state before each run; not timed. */
  reset: () => Promise<void>;
}

interface Run {
  seconds: number;
  output: string;
  /** CPU seconds and peak memory; zero where they were not asked for. */
  cpu: number;
  mib: number;
}

export interface Figures {
  name: string;
  seconds: number[];
  cpu: number[];
  mib: number[];
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
  const seconds = (performance.now() - started) / 1000;
  return { seconds, output: output.trim(), cpu: 0, mib: 0 };
}

/**
 * With the CPU time and the peak memory of the command and its children, which only their parent
 * can ask for: another Node between us and them, which waits for them.
 */
async function costed(argv: string[]): Promise<Run> {
  const timer = path.join(import.meta.dirname, 'timed-run.ts');
  const { output } = await run([process.execPath, timer, ...argv]);
  const at = output.lastIndexOf('\n') + 1;
  return { ...JSON.parse(output.slice(at)), output: output.slice(0, at).trim() };
}

/** One warm-up of each, then `runs` counted ones. */
export async function compare(contenders: Contender[], runs: number): Promise<Figures[]> {
  const figures = contenders.map(
    ({ name }): Figures => ({ name, seconds: [], cpu: [], mib: [], output: '' }),
  );
  for (let turn = -1; turn < runs; turn += 1) {
    for (const [index, contender] of contenders.entries()) {
      await contender.reset();
      const { seconds, output, cpu, mib } = await costed(contender.argv);
      const figure = figures[index];
      if (turn < 0 || !figure) continue;
      figure.seconds.push(seconds);
      figure.cpu.push(cpu);
      figure.mib.push(mib);
      figure.output = output;
    }
  }
  return figures;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** `1.41 s (1.38–1.52), CPU 1.16 s, 74 MiB` */
export function summary({ seconds, cpu, mib }: Figures): string {
  const [low, high] = [Math.min(...seconds), Math.max(...seconds)];
  const wall = `${median(seconds).toFixed(2)} s (${low.toFixed(2)}–${high.toFixed(2)})`;
  return `${wall}, CPU ${median(cpu).toFixed(2)} s, ${median(mib).toFixed(0)} MiB`;
}

/** The median of the ratios of neighbouring runs: other ÷ ours, so above 1 we are faster. */
export function ratio(ours: Figures, other: Figures): number {
  return median(ours.seconds.map((seconds, index) => (other.seconds[index] ?? 0) / seconds));
}
