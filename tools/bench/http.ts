/**
 * `npm run bench http [-- pairs]`: our HTTP client against undici on the same server, in turn, each
 * in a new process that has done the same work once before. Prints the table of
 * packages/oci/src/remote/http/README.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { median } from './figures.ts';
import { run } from './measure.ts';

interface Taken {
  cpu: number;
  seconds: number;
  mib: number;
}

const WORKS = {
  get: 'GET of 256 MiB',
  verify: 'GET of 256 MiB, with its SHA-256',
  put: 'PUT of 256 MiB',
  small: '2,000 small GETs, six at a time',
};

const pairs = Number(process.argv[2] ?? 5);
const file = (name: string) => path.join(import.meta.dirname, name);
const server = spawn(process.execPath, [file('http-server.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});

async function load(who: string, work: string, origin: string, ca: string): Promise<Taken> {
  return JSON.parse(
    (await run([process.execPath, file('http-load.ts'), who, work, origin, ca])).output,
  );
}

function cell(taken: Taken[]): string {
  const of = (key: keyof Taken, digits: number) =>
    median(taken.map((each) => each[key])).toFixed(digits);
  return `${of('cpu', 3)} s (${of('seconds', 2)} s; ${of('mib', 0)} MiB)`;
}

try {
  const [line] = await once(server.stdout, 'data');
  const { plain, tls, ca } = JSON.parse(String(line));
  process.stdout.write('| work | ours | undici | ratio of CPU |\n|---|---|---|---|\n');
  for (const [work, title] of Object.entries(WORKS)) {
    for (const origin of [plain, tls]) {
      const [ours, theirs]: [Taken[], Taken[]] = [[], []];
      for (let nth = 0; nth < pairs; nth += 1) {
        ours.push(await load('ours', work, origin, ca));
        theirs.push(await load('undici', work, origin, ca));
      }
      const ratios = ours.map(({ cpu }, nth) => (theirs[nth]?.cpu ?? 0) / cpu);
      const [low, high] = [Math.min(...ratios).toFixed(2), Math.max(...ratios).toFixed(2)];
      const ratio = `${median(ratios).toFixed(2)} × (${low}–${high})`;
      const name = `${title}${origin === tls ? ', TLS' : ''}`;
      process.stdout.write(`| ${name} | ${cell(ours)} | ${cell(theirs)} | ${ratio} |\n`);
    }
  }
} finally {
  server.kill();
}
