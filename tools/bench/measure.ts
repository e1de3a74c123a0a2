/**
 * Runs whole processes alternately, A B A B …, so that a drift of the machine's speed affects both.
 */
import { spawn } from 'node:child_process';

export interface Contender {
  name: string;
  argv: string[];
  /** Resets the state before each run; not timed. */
  reset: () => Promise<void>;
}

interface Run {
  seconds: number;
  output: string;
}

export interface Figures {
  name: string;
  seconds: number[];
  output: string;
}

export async function run(argv: string[]): Promise<Run> {
  const [command = '', ...args] = argv;
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
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

/** One warm-up of each, then `runs` counted ones. */
export async function compare(contenders: Contender[], runs: number): Promise<Figures[]> {
  const figures = contenders.map(({ name }): Figures => ({ name, seconds: [], output: '' }));
  for (let turn = -1; turn < runs; turn += 1) {
    for (const [index, contender] of contenders.entries()) {
      await contender.reset();
      const { seconds, output } = await run(contender.argv);
      const figure = figures[index];
      if (turn < 0 || !figure) continue;
      figure.seconds.push(seconds);
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

/** `1.41 s (1.38–1.52)` */
export function summary({ seconds }: Figures): string {
  const [low, high] = [Math.min(...seconds), Math.max(...seconds)];
  return `${median(seconds).toFixed(2)} s (${low.toFixed(2)}–${high.toFixed(2)})`;
}

/** The median of the ratios of neighbouring runs: other ÷ ours, so above 1 we are faster. */
export function ratio(ours: Figures, other: Figures): number {
  return median(ours.seconds.map((seconds, index) => (other.seconds[index] ?? 0) / seconds));
}
