/**
 * `npm run bench transfer [-- runs]`: a batch through the whole product (queue, worker, database;
 * no scan) against `skopeo sync` of the same batch, A B A B, each into a registry without it; then
 * the bytes transferred. Also into the built-in registry, whose storage the worker shares, and with
 * both registries some distance away. CPU and memory are those of the worker and of skopeo. The
 * worker has copied other images before, like a running one: its first hundred are slower, until
 * its code is compiled.
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TransferEntry } from '@portcullis/domain';
import { startRegistry, type TestRegistry, temporaryDir } from '@portcullis/testing';
import { orderOf, submitTransfer, toLocal, toSaved } from '../../tests/worker/batch.ts';
import { type Harness, openHarness } from '../../tests/worker/harness.ts';
import { type FaultyRegistry, startProxy } from '../../tests/worker/proxy.ts';
import { AIMS, type AimId, type Measured, table } from './aims.ts';
import { skopeoCommand } from './copies/peers.ts';
import { DELIVERED_SETTINGS } from './copies/running-worker.ts';
import { costOf } from './cpu.ts';
import { pushImage, randomLayer } from './data.ts';
import { openEndedJobs } from './ended-jobs.ts';
import { type Cost, compareRow } from './figures.ts';
import { compare, costed } from './measure.ts';

interface Batch {
  aim: AimId;
  names: string[];
  /** Delay before each answer of either registry, in milliseconds. */
  delayMs?: number;
  /** Whether ours goes to the built-in registry, and skopeo's to a bare one. */
  isLocal?: boolean;
}

export async function transfers(runs: number): Promise<Measured> {
  await using source = await startRegistry();
  await using dir = await temporaryDir();
  const measured: Measured = new Map();
  const head = ['batch', 'ours', 'skopeo sync', 'bytes from the source', 'the same again'];
  process.stdout.write(table(head, []));
  await pushAll(source, WARM_UP, { base: [1, 1, 1], own: [1] });
  for (const batch of await batches(source)) {
    const [ours = [], theirs = []] = await compare(
      [
        { reset, run: () => between(source, batch, (ends) => ourRun(ends, batch, source)) },
        {
          reset,
          run: () => between(source, batch, (ends) => skopeoRun(ends, { batch, dir: dir.path })),
        },
      ],
      { warmUps: 1, runs },
    );
    const { cells, least } = compareRow(AIMS[batch.aim], ours, [theirs]);
    const bytes = bytesOf(await countCopied(source, batch, dir.path));
    process.stdout.write(`| ${[AIMS[batch.aim].work, ...cells, ...bytes].join(' | ')} |\n`);
    measured.set(batch.aim, least);
  }
  return measured;
}

/** Each run begins with an empty registry. */
const reset = async () => {};

async function batches(source: TestRegistry): Promise<Batch[]> {
  const alike = await similarBuilds(source);
  const local: Batch = { ...alike, aim: 'local', isLocal: true };
  const far: Batch = { aim: 'far', names: alike.names.slice(0, FAR), delayMs: DISTANCE_MS };
  return [await family(source), local, alike, far, await distinct(source)];
}

const DISTANCE_MS = 20;
const FAR = 100;
const WARM_UP = Array.from({ length: 100 }, (_, n) => `warm-up-${n}`);

/** Services on one base, which is four fifths of each. */
async function family(source: TestRegistry): Promise<Batch> {
  const names = Array.from({ length: 40 }, (_, n) => `family-${n}`);
  await pushAll(source, names, { base: [16, 16, 8], own: [8, 2] });
  return { aim: 'family', names };
}

/** Builds of one service: hardly any bytes to copy, which shows the fixed cost per image. */
async function similarBuilds(source: TestRegistry): Promise<Batch> {
  const names = Array.from({ length: 200 }, (_, n) => `alike-${n}`);
  await pushAll(source, names, { base: [16, 16, 8], own: [1] });
  return { aim: 'alike', names };
}

async function distinct(source: TestRegistry): Promise<Batch> {
  const names = Array.from({ length: 30 }, (_, n) => `distinct-${n}`);
  await pushAll(source, names, { base: [], own: [10, 5, 5] });
  return { aim: 'distinct', names };
}

async function pushAll(
  source: TestRegistry,
  names: string[],
  { base, own }: { base: number[]; own: number[] },
): Promise<void> {
  const from = `${names[0]}-base`;
  const shared = await Promise.all(base.map((mib) => randomLayer(source, from, mib)));
  for (const name of names) await pushImage(source, name, { ownLayers: own, shared, from });
}

interface Ends {
  source: { host: string };
  target: { host: string };
}

/** Copies into a new registry. A run reports its own time: the preparation does not count. */
async function between(
  source: TestRegistry,
  { delayMs }: Batch,
  work: (ends: Ends) => Promise<Cost>,
): Promise<Cost> {
  await using target = await startRegistry();
  if (delayMs === undefined) return await work({ source, target });
  await using away = await startProxy(source.url, { delayMs });
  await using there = await startProxy(target.url, { delayMs });
  return await work({ source: away, target: there });
}

async function ourRun(ends: Ends, batch: Batch, source: TestRegistry): Promise<Cost> {
  await using harness = await openHarness({ asDelivered: true });
  const { pid } = await startWorker(harness);
  await using other = await startRegistry();
  await transfer(harness, { source, target: batch.isLocal ? harness.registry : other }, WARM_UP);
  const target = batch.isLocal ? harness.registry : ends.target;
  return await costOf(pid, () => transfer(harness, { ...ends, target }, batch.names));
}

function startWorker({ startWorker: start, registry }: Harness) {
  return start({ ...DELIVERED_SETTINGS, REGISTRY_STORAGE: registry.storageDir });
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
  await using jobs = await openEndedJobs(harness.databaseUrl);
  const id = await submitTransfer(harness, order);
  await jobs.wait({ by: 'transfer_id', id, count: names.length, ends: ['pushed'] });
  const over = await harness.store.transfers.find(id);
  if (over?.counts.pushed !== names.length) throw new Error(JSON.stringify(over?.counts));
}

async function skopeoRun(
  { source, target }: Ends,
  { batch, dir }: { batch: Batch; dir: string },
): Promise<Cost> {
  const images = batch.names.map((name) => `    ${name}: [v1]`).join('\n');
  const file = path.join(dir, 'sync.yml');
  await writeFile(file, `${source.host}:\n  tls-verify: false\n  images:\n${images}\n`);
  const sync = `${await skopeoCommand()} sync --src yaml --dest docker --dest-tls-verify=false ${file} ${target.host}`;
  // skopeo reports each image on stderr.
  return costed(['sh', '-ec', `${sync} >/dev/null 2>&1`]);
}

interface Bytes {
  ours: number;
  skopeo: number;
  oursAgain: number;
  skopeoAgain: number;
}

/** Not timed: counting slows it down. */
async function countCopied(source: TestRegistry, batch: Batch, dir: string): Promise<Bytes> {
  await using harness = await openHarness({ asDelivered: true });
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

function bytesOf(bytes: Bytes): string[] {
  const mib = (count: number) => `${(count / (1 << 20)).toFixed(1)} MiB`;
  return [
    `${mib(bytes.ours)}, skopeo ${mib(bytes.skopeo)}`,
    `${mib(bytes.oursAgain)}, skopeo ${mib(bytes.skopeoAgain)}`,
  ];
}

if (import.meta.main) await transfers(Number(process.argv[2] ?? 3));
