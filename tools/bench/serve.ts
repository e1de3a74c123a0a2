/**
 * `npm run bench serve [-- rounds]`: reads and pushes of `/v2` at two releases of the bare
 * registry, through an api that forwards them, and through one that reads the registry's storage,
 * in turn and in both orders. Audit events are published and archived meanwhile. Prints the table
 * of docs/benchmarks.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Watched, watchCpu } from './cpu.ts';
import { median, run } from './measure.ts';

const rounds = Number(process.argv[2] ?? 5);
const SECONDS = '4';
const BLOB_MIB = '512';
const WAYS = ['older', 'registry', 'proxied', 'direct'] as const;
type Way = (typeof WAYS)[number];

const file = (name: string) => path.join(import.meta.dirname, name);
// As the product starts its api.
const server = spawn(
  process.execPath,
  ['--max-semi-space-size=1', file('serve-server.ts'), BLOB_MIB],
  {
    stdio: ['pipe', 'pipe', 'inherit'],
  },
);

interface Taken {
  rate: number;
  p50?: number;
}

interface Work {
  title: string;
  unit: string;
  /** `direct` ÷ `older` at which docs/benchmarks.md aims. */
  aim: number;
  args(digest: string): string[];
}

const WORKS: Record<string, Work> = {
  manifests: {
    title: 'GET of a manifest by tag, 8 connections',
    unit: '/s',
    aim: 1.5,
    args: () => ['/v2/team/app/manifests/1', SECONDS],
  },
  blob: {
    title: `GET of a blob of ${BLOB_MIB} MiB`,
    unit: ' MiB/s',
    aim: 1,
    args: (digest) => [`/v2/team/app/blobs/${digest}`],
  },
  push: {
    title: 'upload of 256 MiB in one PUT',
    unit: ' MiB/s',
    aim: 0.8,
    args: () => ['/v2/team/app/blobs/uploads/', '256'],
  },
  patch: {
    title: 'upload of 256 MiB in one PATCH and an empty PUT',
    unit: ' MiB/s',
    aim: 0.8,
    args: () => ['/v2/team/app/blobs/uploads/', '256'],
  },
};

async function load(work: string, origin: string, args: string[]): Promise<Taken> {
  const { output } = await run([process.execPath, file('serve-load.ts'), work, origin, ...args]);
  return JSON.parse(output);
}

async function row(work: string, origins: Record<Way, string>, digest: string): Promise<void> {
  const { title, unit, aim, args } = WORKS[work] as Work;
  const taken: Record<Way, Taken[]> = { older: [], registry: [], proxied: [], direct: [] };
  for (let nth = -1; nth < rounds; nth += 1)
    for (const way of nth % 2 === 0 ? WAYS : WAYS.toReversed()) {
      const measured = await load(work, origins[way], args(digest));
      if (nth >= 0) taken[way].push(measured);
    }
  const cell = (way: Way) => {
    const rate = median(taken[way].map((each) => each.rate)).toFixed(0);
    const p50 = median(taken[way].flatMap((each) => each.p50 ?? []));
    return taken[way][0]?.p50 === undefined
      ? rate + unit
      : `${rate}${unit}, p50 ${p50.toFixed(1)} ms`;
  };
  const ratioTo = (way: Way) =>
    median(taken.direct.map(({ rate }, nth) => rate / (taken[way][nth]?.rate ?? 0)));
  const mark = ratioTo('older') < aim ? ' ⚠' : '';
  const cells = [
    title,
    ...WAYS.map(cell),
    `${ratioTo('older').toFixed(2)} × (aim ${aim})${mark}`,
    `${ratioTo('registry').toFixed(2)} ×`,
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

/** CPU milliseconds of each process for one GET that becomes one audit event. */
async function costs(origins: Record<Way, string>, watched: Watched): Promise<void> {
  const { manifests } = WORKS;
  if (!manifests) return;
  const spent = watchCpu(watched);
  const { rate } = await load('manifests', origins.direct, manifests.args(''));
  // What is archived after the last reply counts too.
  await sleep(5_000);
  const cells = Object.entries(spent()).map(
    ([name, ms]) => `${name} ${(ms / (rate * Number(SECONDS))).toFixed(2)} ms`,
  );
  process.stdout.write(`\nCPU of one GET of a manifest from storage: ${cells.join(', ')}\n`);
}

try {
  const [line] = await once(server.stdout, 'data');
  const { origins, digest, ...watched } = JSON.parse(String(line));
  process.stdout.write(
    '| request | 2.8.2 alone | 3.1.2 alone | forwarded | from storage | storage ÷ 2.8.2 | storage ÷ 3.1.2 |\n|---|---|---|---|---|---|---|\n',
  );
  for (const work of Object.keys(WORKS)) await row(work, origins, digest);
  await costs(origins, watched);
} finally {
  server.stdin.end();
  await once(server, 'exit');
}
