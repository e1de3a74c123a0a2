/**
 * `npm run bench scale-out [-- images]`: one, two and three workers, each a separate host, with one
 * DATA_DIR, and three with a DATA_DIR each, with the same pulls from a remote registry and from a
 * local one.
 */
import { startRegistry, type TestRegistry, temporaryDir } from '@portcullis/testing';
import { pushFamily } from '../../tests/worker/batch.ts';
import { openHarness } from '../../tests/worker/harness.ts';
import { type Behaviour, startProxy } from '../../tests/worker/proxy.ts';

const count = Number(process.argv[2] ?? 60);
const LONGEST_MS = 600_000;
const MIB = 2 ** 20;

interface Workers {
  hosts: number;
  isShared: boolean;
}

interface Measured {
  jobsPerMinute: number;
  bytes: number;
}

/** Jobs per minute, from the first submission to the last staged image, and bytes downloaded. */
async function measure(
  source: TestRegistry,
  family: string,
  { behaviour, workers }: { behaviour: Behaviour; workers: Workers },
): Promise<Measured> {
  await using parts = new AsyncDisposableStack();
  const dirs = await Promise.all(Array.from({ length: workers.hosts }, temporaryDir));
  for (const dir of dirs) parts.defer(() => dir.remove());
  const harness = parts.use(await openHarness());
  const far = parts.use(await startProxy(source.url, behaviour));
  await Promise.all(
    dirs.map((dir, n) => {
      const own: Record<string, string> = workers.isShared ? {} : { DATA_DIR: dir.path };
      return harness.startHost(`host-${n}`, { LOG_LEVEL: 'info', ...own });
    }),
  );
  const from = performance.now();
  const images = Array.from({ length: count }, (_, n) => `${family}-${n}`);
  const jobs = await Promise.all(
    images.map((image) => harness.submit({ image, tag: '1', host: far.host })),
  );
  for (const { id } of jobs) {
    const { status, error } = await harness.settled(id, LONGEST_MS);
    if (status !== 'staged') throw new Error(`${id} is ${status}: ${JSON.stringify(error)}`);
  }
  const bytes = far.blobGets().reduce((sum, each) => sum + each.bytes, 0);
  return { jobsPerMinute: (count * 60_000) / (performance.now() - from), bytes };
}

await using source = await startRegistry();
await pushFamily(source, 'small', count);
await pushFamily(source, 'large', count, 20 * MIB);
const WORKERS: Workers[] = [
  ...[1, 2, 3].map((hosts) => ({ hosts, isShared: true })),
  { hosts: 3, isShared: false },
];
process.stdout.write('| pulls of | one worker | two | three | three, a `DATA_DIR` each |\n');
process.stdout.write('|---|---|---|---|---|\n');
for (const [title, family, behaviour] of [
  ['small images, 100 ms away', 'small', { delayMs: 100 }],
  ['small images, the same machine', 'small', {}],
  [
    'images on a base of 60 MiB, 100 ms away, 10 MiB/s each blob',
    'large',
    { delayMs: 100, rate: 10 * MIB },
  ],
  ['images on a base of 60 MiB, the same machine', 'large', {}],
] satisfies [string, string, Behaviour][]) {
  const cells: string[] = [];
  for (const workers of WORKERS) {
    const { jobsPerMinute, bytes } = await measure(source, family, { behaviour, workers });
    cells.push(`${jobsPerMinute.toFixed(0)} jobs/min, ${(bytes / MIB).toFixed(0)} MiB`);
  }
  process.stdout.write(`| ${title} | ${cells.join(' | ')} |\n`);
}
