/**
 * `npm run bench -- transfer [runs]`: a batch through the whole product (queue, worker, database;
 * no scan) against `skopeo sync` of the same batch, A B A B, each into an empty registry; then the
 * bytes transferred. Also into the built-in registry, whose storage the worker shares, and with
 * both registries some distance away. Besides the wall time it prints
 * CPU seconds of the worker and of skopeo. The worker has copied other images before, like a
 * running one: its first hundred are slower, until its code is compiled.
 */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TransferEntry } from '@portcullis/domain';
import { startRegistry, type TestRegistry, temporaryDir } from '@portcullis/testing';
import {
  orderOf,
  submitTransfer,
  toLocal,
  toSaved,
  transferOver,
} from '../../tests/worker/batch.ts';
import { type Harness, openHarness } from '../../tests/worker/harness.ts';
import { type FaultyRegistry, startProxy } from '../../tests/worker/proxy.ts';
import { pushImage, randomLayer } from './data.ts';
import { median, run } from './measure.ts';
import { skopeoCommand } from './peers.ts';

interface Batch {
  title: string;
  names: string[];
  /** Delay before each answer of either registry, in milliseconds. */
  delayMs?: number;
  /** Whether ours goes to the built-in registry, and skopeo's to a bare one. */
  isLocal?: boolean;
}

interface Taken {
  seconds: number;
  cpu: number;
}

const LONGEST_MS = 1_800_000;

async function transfers(runs: number): Promise<void> {
  await using source = await startRegistry();
  await using dir = await temporaryDir();
  process.stdout.write(
    '| batch | ours | skopeo sync | ratio | bytes from the source | the same again |\n|---|---|---|---|---|---|\n',
  );
  const alike = await similarBuilds(source);
  const local = { ...alike, title: `${alike.title}, into the built-in registry`, isLocal: true };
  const title = `${FAR} of them, ${DISTANCE_MS} ms before each answer`;
  const far = { title, names: alike.names.slice(0, FAR), delayMs: DISTANCE_MS };
  await pushAll(source, WARM_UP, { base: [1, 1, 1], own: [1] });
  for (const batch of [await family(source), local, alike, far, await distinct(source)]) {
    const ours: Taken[] = [];
    const theirs: Taken[] = [];
    for (let nth = -1; nth < runs; nth += 1) {
      const mine = await between(source, batch, (ends) => ourRun(ends, batch, source));
      const other = await between(source, batch, (ends) =>
        skopeoRun(ends, { batch, dir: dir.path }),
      );
      if (nth >= 0) {
        ours.push(mine);
        theirs.push(other);
      }
    }
    const bytes = await counted(source, batch, dir.path);
    process.stdout.write(`${line(batch, { ours, theirs }, bytes)}\n`);
  }
}

const DISTANCE_MS = 20;
const FAR = 100;
const WARM_UP = Array.from({ length: 100 }, (_, n) => `warm-up-${n}`);

/** Services on one base, which is four fifths of each. */
async function family(source: TestRegistry): Promise<Batch> {
  const names = Array.from({ length: 40 }, (_, n) => `family-${n}`);
  await pushAll(source, names, { base: [16, 16, 8], own: [8, 2] });
  return { title: '40 images of 50 MiB that share 40', names };
}

/** Builds of one service: hardly any bytes to copy, which shows the fixed cost per image. */
async function similarBuilds(source: TestRegistry): Promise<Batch> {
  const names = Array.from({ length: 200 }, (_, n) => `alike-${n}`);
  await pushAll(source, names, { base: [16, 16, 8], own: [1] });
  return { title: '200 images of 41 MiB that share 40', names };
}

async function distinct(source: TestRegistry): Promise<Batch> {
  const names = Array.from({ length: 30 }, (_, n) => `distinct-${n}`);
  await pushAll(source, names, { base: [], own: [10, 5, 5] });
  return { title: '30 images of 20 MiB that share nothing', names };
}

async function pushAll(
  source: TestRegistry,
  names: string[],
  { base, own }: { base: number[]; own: number[] },
): Promise<void> {
  const from = `${names[0]}-base`;
  const shared = await Promise.all(
    base.map((mib) => randomLayer(source, from, { mib, kind: 'gzip' })),
  );
  for (const name of names)
    await pushImage(source, name, { ownLayers: own, kind: 'gzip', shared, from });
}

interface Ends {
  source: { host: string };
  target: { host: string };
}

/** Copies into a new registry. A run reports its own time: the preparation does not count. */
async function between(
  source: TestRegistry,
  { delayMs }: Batch,
  work: (ends: Ends) => Promise<Taken>,
): Promise<Taken> {
  await using target = await startRegistry();
  if (delayMs === undefined) return await work({ source, target });
  await using away = await startProxy(source.url, { delayMs });
  await using there = await startProxy(target.url, { delayMs });
  return await work({ source: away, target: there });
}

async function ourRun(ends: Ends, { names, isLocal }: Batch, source: TestRegistry): Promise<Taken> {
  await using harness = await openHarness();
  const { pid } = await startWorker(harness);
  await warmUp(harness, source);
  const target = isLocal ? harness.registry : ends.target;
  const [cpu, started] = [await cpuSeconds(pid), performance.now()];
  await transfer(harness, { ...ends, target }, names);
  return { seconds: (performance.now() - started) / 1000, cpu: (await cpuSeconds(pid)) - cpu };
}

function startWorker({ startWorker: start, registry }: Harness) {
  return start({ LOG_LEVEL: 'info', REGISTRY_STORAGE: registry.storageDir });
}

async function warmUp(harness: Harness, source: TestRegistry): Promise<void> {
  await using target = await startRegistry();
  await transfer(harness, { source, target }, WARM_UP);
}

/** As counted by Linux, in hundredths (proc(5)). */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
  return (Number(user) + Number(system)) / 100;
}

async function transfer(
  harness: Harness,
  { source, target }: Ends,
  names: string[],
): Promise<void> {
  const save = ({ host }: { host: string }) =>
    harness.store.registries.insert({ name: randomUUID(), host, useTls: false });
  const from = await save(source);
  const isLocal = target.host === harness.registry.host;
  const entries = names.map(
    (name): TransferEntry => ({
      image: name,
      repository: name,
      tags: { tag: 'v1' },
      targetTag: null,
    }),
  );
  const to = isLocal ? toLocal(target.host) : toSaved(await save(target));
  const ends = { from: { registryId: from.id, host: from.host }, to };
  // skopeo does not look for signatures; so we do not either.
  const order = orderOf(ends, entries, { withReferrers: false });
  const over = await transferOver(harness, await submitTransfer(harness, order), LONGEST_MS);
  if (over.counts.pushed !== names.length) throw new Error(JSON.stringify(over.counts));
}

async function skopeoRun(
  { source, target }: Ends,
  { batch, dir }: { batch: Batch; dir: string },
): Promise<Taken> {
  const images = batch.names.map((name) => `    ${name}: [v1]`).join('\n');
  const file = path.join(dir, 'sync.yml');
  await writeFile(file, `${source.host}:\n  tls-verify: false\n  images:\n${images}\n`);
  const sync = `${await skopeoCommand()} sync --src yaml --dest docker --dest-tls-verify=false ${file} ${target.host}`;
  // skopeo reports each image on stderr.
  const argv = ['bash', '-ec', `TIMEFORMAT='%U %S'; { time ${sync} >/dev/null 2>&1; } 2>&1`];
  const { seconds, output } = await run(argv);
  return { seconds, cpu: output.split(' ').reduce((sum, each) => sum + Number(each), 0) };
}

interface Bytes {
  ours: number;
  skopeo: number;
  oursAgain: number;
  skopeoAgain: number;
}

/** Not timed: counting slows it down. */
async function counted(source: TestRegistry, batch: Batch, dir: string): Promise<Bytes> {
  await using harness = await openHarness();
  await startWorker(harness);
  await using own = await startRegistry();
  const target = batch.isLocal ? harness.registry : own;
  await using other = await startRegistry();
  const mine = (proxy: FaultyRegistry) => transfer(harness, { source: proxy, target }, batch.names);
  const skopeo = (proxy: FaultyRegistry) =>
    skopeoRun({ source: proxy, target: other }, { batch, dir });
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

function line(
  { title, names }: Batch,
  times: { ours: Taken[]; theirs: Taken[] },
  bytes: Bytes,
): string {
  const summary = (each: Taken[]) => {
    const seconds = median(each.map((taken) => taken.seconds));
    const cpu = median(each.map((taken) => taken.cpu));
    return `${seconds.toFixed(1)} s (${Math.round((names.length * 60) / seconds)} images/min; ${cpu.toFixed(1)} s of CPU)`;
  };
  const ratios = times.ours.map(({ seconds }, nth) => (times.theirs[nth]?.seconds ?? 0) / seconds);
  const ratio = `${median(ratios).toFixed(2)} × (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
  const mib = (count: number) => `${(count / (1 << 20)).toFixed(1)} MiB`;
  const first = `${mib(bytes.ours)}, skopeo ${mib(bytes.skopeo)}`;
  const again = `${mib(bytes.oursAgain)}, skopeo ${mib(bytes.skopeoAgain)}`;
  return `| ${title} | ${summary(times.ours)} | ${summary(times.theirs)} | ${ratio} | ${first} | ${again} |`;
}

if (import.meta.main) await transfers(Number(process.argv[2] ?? 3));
