/**
 * `npm run bench scale-out [-- images]`: one, two and three workers, each a host of its own, on the same pulls from a
 * registry that is far away (100 ms to each answer) and on pulls from one next door.
 */
import { startRegistry, type TestRegistry } from '@portcullis/testing';
import { pushFamily } from '../../tests/worker/batch.ts';
import { startProxy } from '../../tests/worker/proxy.ts';
import { openStand } from '../../tests/worker/stand.ts';

const count = Number(process.argv[2] ?? 60);
const LONGEST_MS = 600_000;

/** Jobs a minute, from the first that is submitted to the last that is staged. */
async function rate(source: TestRegistry, hosts: number, delayMs: number): Promise<number> {
  await using stand = await openStand();
  await using far = await startProxy(source.url, { delayMs });
  const names = Array.from({ length: hosts }, (_, n) => `host-${n}`);
  await Promise.all(names.map((name) => stand.startHost(name, { LOG_LEVEL: 'info' })));
  const from = performance.now();
  const images = Array.from({ length: count }, (_, n) => `scale-${n}`);
  const jobs = await Promise.all(
    images.map((image) => stand.submit({ image, tag: '1', host: far.host })),
  );
  for (const { id } of jobs) {
    const { status, error } = await stand.settled(id, LONGEST_MS);
    if (status !== 'staged') throw new Error(`${id} is ${status}: ${JSON.stringify(error)}`);
  }
  return (count * 60_000) / (performance.now() - from);
}

await using source = await startRegistry();
await pushFamily(source, 'scale', count);
process.stdout.write('| pulls from | one worker | two | three |\n|---|---|---|---|\n');
for (const [title, delayMs] of [
  ['a registry 100 ms away', 100],
  ['the same machine', 0],
] as const) {
  const cells: string[] = [];
  for (const hosts of [1, 2, 3])
    cells.push(`${(await rate(source, hosts, delayMs)).toFixed(0)} jobs/min`);
  process.stdout.write(`| ${title} | ${cells.join(' | ')} |\n`);
}
