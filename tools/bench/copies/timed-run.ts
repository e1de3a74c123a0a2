/**
 * `node timed-run.ts COMMAND…`: runs a command and prints its output, and then one line of JSON
 * with its seconds, its CPU seconds and the peak memory in MiB of its largest process.
 */
import { spawn } from 'node:child_process';
import { peakKib, readProc } from '../cpu.ts';

const [command = '', ...args] = process.argv.slice(2);
const EVERY_MS = 25;

const started = performance.now();
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
let highestKib = 0;
const sampler = setInterval(() => {
  if (child.pid !== undefined) highestKib = Math.max(highestKib, peakOf(child.pid));
}, EVERY_MS);
const code = await new Promise<number>((resolve, reject) =>
  child.once('close', (ended) => resolve(ended ?? 1)).once('error', reject),
);
const seconds = (performance.now() - started) / 1000;
clearInterval(sampler);
if (code !== 0) process.exit(code);
process.stdout.write(`\n${JSON.stringify({ seconds, cpu: childCpu(), mib: highestKib / 1024 })}\n`);

/** Of the process and those below it: the kernel keeps the high-water mark of each. */
function peakOf(pid: number): number {
  const below = readProc(pid, `task/${pid}/children`).split(' ').filter(Boolean);
  return Math.max(peakKib(pid), ...below.map((each) => peakOf(Number(each))));
}

/** Fields 16 and 17 of proc(5): CPU of waited-for children, in hundredths of a second. */
function childCpu(): number {
  const [, rest = ''] = readProc('self', 'stat').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
