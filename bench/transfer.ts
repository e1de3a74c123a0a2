/**
 * `npm run bench -- transfer [runs]`: a batch through the whole product (queue, worker, database; no scan) against
 * `skopeo sync` of the same batch, A B A B, each into an empty registry; then what crosses the wire, counted.
 */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TransferEntry } from '@portcullis/domain';
import { startRegistry, type TestRegistry, temporaryDir } from '@portcullis/testing';
import { orderOf, submitTransfer, toSaved, transferOver } from '../apps/worker/test/batch.ts';
import { type FaultyRegistry, startProxy } from '../apps/worker/test/proxy.ts';
import { openStand, type Stand } from '../apps/worker/test/stand.ts';
import { pushImage, randomLayer } from './data.ts';
import { median } from './measure.ts';

interface Batch {
  title: string;
  names: string[];
}

const LONGEST_MS = 1_800_000;

export async function transfers(runs: number): Promise<void> {
  await using source = await startRegistry();
  await using dir = await temporaryDir();
  process.stdout.write(
    '| batch | ours | skopeo sync | ratio | bytes from the source | the same again |\n|---|---|---|---|---|---|\n',
  );
  for (const batch of [await family(source), await distinct(source)]) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let nth = -1; nth < runs; nth += 1) {
      const mine = await seconds((target) => ourRun(source, target, batch));
      const other = await seconds((target) => skopeoRun(source.host, target, { batch, dir: dir.path }));
      if (nth >= 0) {
        ours.push(mine);
        theirs.push(other);
      }
    }
    const bytes = await counted(source, batch, dir.path);
    process.stdout.write(`${line(batch, { ours, theirs }, bytes)}\n`);
  }
}

/** 100 images of 41 MB that share 40 of them. */
async function family(source: TestRegistry): Promise<Batch> {
  const shared = await Promise.all(
    [16, 16, 8].map((mib) => randomLayer(source, 'base', { mib, kind: 'gzip' })),
  );
  const names = Array.from({ length: 100 }, (_, n) => `family-${n}`);
  for (const name of names)
    await pushImage(source, name, { ownLayers: [1], kind: 'gzip', shared, from: 'base' });
  return { title: '100 images of 41 MiB that share 40', names };
}

async function distinct(source: TestRegistry): Promise<Batch> {
  const names = Array.from({ length: 30 }, (_, n) => `distinct-${n}`);
  for (const name of names) await pushImage(source, name, { ownLayers: [10, 5, 5], kind: 'gzip' });
  return { title: '30 images of 20 MiB that share nothing', names };
}

/** Into a registry of its own. A run says by itself how long it took: making ready doesn't count. */
async function seconds(work: (target: TestRegistry) => Promise<number>): Promise<number> {
  await using target = await startRegistry();
  return await work(target);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

async function ourRun(source: { host: string }, target: TestRegistry, batch: Batch): Promise<number> {
  await using stand = await openStand();
  await stand.startWorker({ LOG_LEVEL: 'info' });
  return await timed(() => transfer(stand, { source, target, batch }));
}

async function transfer(
  stand: Stand,
  { source, target, batch }: { source: { host: string }; target: { host: string }; batch: Batch },
): Promise<void> {
  const save = ({ host }: { host: string }) =>
    stand.store.registries.insert({ name: host, host, useTls: false });
  const [from, to] = [await save(source), await save(target)];
  const entries = batch.names.map(
    (name): TransferEntry => ({ image: name, repository: name, tags: { tag: 'v1' }, targetTag: null }),
  );
  const ends = { from: { registryId: from.id, host: from.host }, to: toSaved(to) };
  // skopeo doesn't look for signatures; neither do we here.
  const order = orderOf(ends, entries, { withReferrers: false });
  const over = await transferOver(stand, await submitTransfer(stand, order), LONGEST_MS);
  if (over.counts.pushed !== batch.names.length) throw new Error(JSON.stringify(over.counts));
}

async function skopeoRun(
  host: string,
  target: { host: string },
  { batch, dir }: { batch: Batch; dir: string },
): Promise<number> {
  const images = batch.names.map((name) => `    ${name}: [v1]`).join('\n');
  const file = path.join(dir, 'sync.yml');
  await writeFile(file, `${host}:\n  tls-verify: false\n  images:\n${images}\n`);
  const args = ['sync', '--src', 'yaml', '--dest', 'docker', '--dest-tls-verify=false', file, target.host];
  return timed(() => finished('skopeo', args));
}

async function finished(command: string, args: string[]): Promise<void> {
  // skopeo tells of each image on stderr.
  const child = spawn(command, args, { stdio: 'ignore' });
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}`);
}

interface Bytes {
  ours: number;
  skopeo: number;
  oursAgain: number;
  skopeoAgain: number;
}

/** Not timed: the counting stands in the way. */
async function counted(source: TestRegistry, batch: Batch, dir: string): Promise<Bytes> {
  await using stand = await openStand();
  await stand.startWorker();
  await using target = await startRegistry();
  await using other = await startRegistry();
  const mine = (proxy: FaultyRegistry) => transfer(stand, { source: proxy, target, batch });
  const skopeo = (proxy: FaultyRegistry) => skopeoRun(proxy.host, other, { batch, dir });
  return {
    ours: await blobBytes(source, mine),
    skopeo: await blobBytes(source, skopeo),
    oursAgain: await blobBytes(source, mine),
    skopeoAgain: await blobBytes(source, skopeo),
  };
}

async function blobBytes(
  source: TestRegistry,
  work: (proxy: FaultyRegistry) => Promise<unknown>,
): Promise<number> {
  await using proxy = await startProxy(source.url);
  await work(proxy);
  return proxy.blobGets().reduce((sum, { bytes }) => sum + bytes, 0);
}

function line({ title, names }: Batch, times: { ours: number[]; theirs: number[] }, bytes: Bytes): string {
  const rate = (each: number[]) =>
    `${median(each).toFixed(1)} s (${Math.round((names.length * 60) / median(each))} images/min)`;
  const ratio = median(times.ours.map((mine, nth) => (times.theirs[nth] ?? 0) / mine)).toFixed(2);
  const mib = (count: number) => `${(count / (1 << 20)).toFixed(1)} MiB`;
  const first = `${mib(bytes.ours)}, skopeo ${mib(bytes.skopeo)}`;
  const again = `${mib(bytes.oursAgain)}, skopeo ${mib(bytes.skopeoAgain)}`;
  return `| ${title} | ${rate(times.ours)} | ${rate(times.theirs)} | ${ratio} × | ${first} | ${again} |`;
}

if (import.meta.main) await transfers(Number(process.argv[2] ?? 3));
