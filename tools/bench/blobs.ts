/**
 * `npm run bench blobs [-- parallel [MiB]]`: pushes and pulls blobs through `/v2` in parallel;
 * prints the memory of the api process, and the rate compared to the registry without Portcullis.
 * Needs twice that size as disk under TMPDIR.
 */
import { startRegistry, streamDown, streamUp } from '@portcullis/testing';
import { startGate } from '../../apps/api/src/registry/gate-process.fixture.ts';

const MIB = 1024 * 1024;
const parallel = Number(process.argv[2] ?? 8);
const mib = Number(process.argv[3] ?? 1024);
const authorization = `Basic ${Buffer.from('writer:writerwriter').toString('base64')}`;

const registry = await startRegistry();
const gate = await startGate(registry.url);
const row = (...cells: string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
const inMib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`;

async function time<T>(work: () => Promise<T>[]): Promise<{ results: T[]; rate: string }> {
  const started = performance.now();
  const results = await Promise.all(work());
  const seconds = (performance.now() - started) / 1000;
  return { results, rate: `${Math.round((parallel * mib) / seconds)} MiB/s` };
}

async function through(url: string, name: string, memory: () => Promise<string>): Promise<void> {
  const end = { url, repository: `team/${name}`, authorization };
  await streamDown(end, await streamUp(end, 8)); // loaded on first use
  const before = await memory();
  const up = await time(() => Array.from({ length: parallel }, () => streamUp(end, mib)));
  row(name, `${parallel} × ${mib} MiB up`, up.rate, before, await memory());
  const down = await time(() => up.results.map((digest) => streamDown(end, digest)));
  row(name, `${parallel} × ${mib} MiB down`, down.rate, before, await memory());
}

try {
  row('by', 'transfer', 'rate', 'memory before', 'peak');
  row('---', '---', '---', '---', '---');
  await through(gate.url, 'gate', async () => inMib((await gate.memory()).peak));
  await through(registry.url, 'registry', async () => '–');
} finally {
  await gate.stop();
  await registry.stop();
}
