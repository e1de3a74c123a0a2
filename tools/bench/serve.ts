/**
 * `npm run bench serve [-- rounds]`: reads and pushes of `/v2` at two bare registries, through an
 * api that forwards them, and through one that reads the registry's storage, in turn and in both
 * orders. Audit events are published and archived meanwhile.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { AIMS, type AimId, type Measured, marked, table } from './aims.ts';
import { median, ratios } from './figures.ts';
import { run } from './measure.ts';

const BLOB_MIB = '512';
const WAYS = ['old', 'registry', 'proxied', 'direct'] as const;
type Way = (typeof WAYS)[number];
type Origins = Record<Way, string>;

interface Taken {
  rate: number;
  p50?: number;
}

interface Work {
  /** Against the registry of the product, and against distribution 2.8.2: rate, median latency. */
  aim: AimId;
  oldAims?: readonly [AimId, AimId];
  unit: string;
  args(digest: string, seconds: string): string[];
}

const upload = () => ['/v2/team/app/blobs/uploads/', '256'];
const WORKS = {
  manifests: {
    aim: 'manifest',
    oldAims: ['manifestOld', 'manifestP50'],
    unit: '/s',
    args: (_digest, seconds) => ['/v2/team/app/manifests/1', seconds],
  },
  blob: { aim: 'blob', unit: ' MiB/s', args: (digest) => [`/v2/team/app/blobs/${digest}`] },
  push: { aim: 'put', unit: ' MiB/s', args: upload },
  patch: { aim: 'patch', unit: ' MiB/s', args: upload },
} as const satisfies Record<string, Work>;

const file = (name: string) => path.join(import.meta.dirname, name);

interface Served {
  origins: Origins;
  digest: string;
  rounds: number;
  /** Of a load of manifests. */
  seconds: string;
}

export async function serve(rounds: number, seconds = '4'): Promise<Measured> {
  // As the product starts its api.
  const argv = ['--max-semi-space-size=1', file('serve-server.ts'), BLOB_MIB];
  const server = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const measured: Measured = new Map();
  const head = ['request', '2.8.2 alone', '3.1.2 alone', 'forwarded', 'from storage', '÷ 3.1.2'];
  try {
    const [line] = await once(server.stdout, 'data');
    const { origins, digest } = JSON.parse(String(line));
    process.stdout.write(table([...head, '÷ 2.8.2'], []));
    for (const [name, work] of Object.entries<Work>(WORKS)) {
      const taken = await inTurn(name, work, { origins, digest, rounds, seconds });
      process.stdout.write(`| ${cellsOf(work, taken, measured).join(' | ')} |\n`);
    }
  } finally {
    server.stdin.end();
    await once(server, 'exit');
  }
  return measured;
}

type Results = Record<Way, Taken[]>;

async function inTurn(name: string, { args }: Work, served: Served): Promise<Results> {
  const taken: Results = { old: [], registry: [], proxied: [], direct: [] };
  for (let nth = -1; nth < served.rounds; nth += 1)
    for (const way of nth % 2 === 0 ? WAYS : WAYS.toReversed()) {
      const load = [name, served.origins[way], ...args(served.digest, served.seconds)];
      const { output } = await run([process.execPath, file('serve-load.ts'), ...load]);
      if (nth >= 0) taken[way].push(JSON.parse(output));
    }
  return taken;
}

function cellsOf({ aim, oldAims, unit }: Work, taken: Results, measured: Measured): string[] {
  const rates = (way: Way) => taken[way].map(({ rate }) => rate);
  const latencies = (way: Way) => taken[way].flatMap(({ p50 }) => p50 ?? []);
  const cells = WAYS.map((way) => {
    const rate = median(rates(way)).toFixed(0) + unit;
    const p50 = latencies(way);
    return p50.length === 0 ? rate : `${rate}, p50 ${median(p50).toFixed(1)} ms`;
  });
  const against = (way: Way) => median(ratios(rates(way), rates('direct')));
  const [now, before] = [against('registry'), against('old')];
  measured.set(aim, now);
  if (oldAims) {
    measured.set(oldAims[0], before);
    measured.set(oldAims[1], median(ratios(latencies('direct'), latencies('old'))));
  }
  return [AIMS[aim].work, ...cells, marked(AIMS[aim], now), marked(AIMS[aim], before)];
}

if (import.meta.main) await serve(Number(process.argv[2] ?? 5));
