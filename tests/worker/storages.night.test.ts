/** Three workers with separate DATA_DIRs: jobs when one is lost or returns. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { StagingJob } from '@portcullis/domain';
import {
  buildImage,
  fetchManifest,
  openSql,
  PATIENCE_MS,
  pushImage,
  startRegistry,
  type TemporaryDir,
  type TestImage,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pushFamily } from './batch.ts';
import { type Harness, openHarness, pushBy, type WorkerProcess } from './harness.ts';
import { type FaultyRegistry, startProxy } from './proxy.ts';

const COUNT = 18;
const ENV = { WORKER_CONCURRENCY: '2', BLOB_CONCURRENCY: '1' };

interface Host {
  dir: TemporaryDir;
  worker: WorkerProcess;
}

let harness: Harness;
let source: TestRegistry;
let slow: FaultyRegistry;
let sql: Awaited<ReturnType<typeof openSql>>;
const hosts: Host[] = [];

async function startHost(name: string): Promise<Host> {
  const dir = await temporaryDir();
  const host = { dir, worker: await harness.startHost(name, { ...ENV, DATA_DIR: dir.path }) };
  hosts.push(host);
  return host;
}

beforeAll(async () => {
  [harness, source] = await Promise.all([openHarness(), startRegistry()]);
  slow = await startProxy(source.url, { delayMs: 100 });
  sql = await openSql(harness.databaseUrl);
  for (const name of ['host-a', 'host-b', 'host-c']) await startHost(name);
});
afterAll(async () => {
  await sql?.end();
  await harness?.[Symbol.asyncDispose]();
  await slow?.[Symbol.asyncDispose]();
  await source?.stop();
  await Promise.all(hosts.map(({ dir }) => dir.remove()));
});

function at<T>(all: readonly T[], n: number): T {
  const found = all[n];
  if (found === undefined) throw new Error(`there is no ${n}`);
  return found;
}

async function storageOf({ dir }: Host): Promise<string> {
  return (await readFile(path.join(dir.path, 'storage-id'), 'utf8')).trim();
}

/** Backdates the last heartbeat: lease and grace together are a minute and a half. */
async function letExpire(host: Host): Promise<void> {
  await sql.query(`UPDATE storages SET seen_at = now() - interval '10 minutes' WHERE id = $1`, [
    await storageOf(host),
  ]);
}

function jobs(ids: readonly string[]): Promise<StagingJob[]> {
  return Promise.all(ids.map((id) => harness.store.jobs.get(id)));
}

const kinds = ({ timeline }: StagingJob) => timeline.map(({ kind }) => kind);

/** Pulled to a layout, not scanned without a scanner, and pushed. */
async function submitAll(family: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `${family}-${n}`);
  const made = names.map((image) =>
    harness.submit({
      image,
      tag: '1',
      host: slow.host,
      pushes: [
        { ...pushBy(harness.admin, harness.registry.host), repository: `team/${image}`, tag: '1' },
      ],
    }),
  );
  return (await Promise.all(made)).map(({ id }) => id);
}

async function expectPushed(family: string, images: readonly TestImage[]): Promise<void> {
  for (const [n, { digest }] of images.entries()) {
    const answer = await fetchManifest(harness.registry.url, `team/${family}-${n}`, '1');
    expect([answer.status, answer.headers['docker-content-digest']]).toEqual([200, digest]);
  }
}

async function pushedEvents(): Promise<string[]> {
  const entries = await harness.redis.xrange('portcullis:audit', '-', '+');
  return entries
    .map(([, [, text = '']]) => JSON.parse(text))
    .filter(({ event, outcome }) => event === 'staging.pushed' && outcome === 'success')
    .map(({ resource }) => String(resource.id));
}

const COUNT_STAGED = 6;

/** A job that this host pulled and that waits for a person. */
async function stagedAt(host: Host, family: string): Promise<StagingJob> {
  const storage = await storageOf(host);
  await pushFamily(source, family, COUNT_STAGED);
  // The others may be quicker for a while.
  for (let round = 0; round < 10; round++) {
    const made = Array.from({ length: COUNT_STAGED }, (_, n) =>
      harness.submit({ image: `${family}-${n}`, tag: '1', host: slow.host }),
    );
    const ids = (await Promise.all(made)).map(({ id }) => id);
    const staged = await Promise.all(ids.map((id) => harness.settled(id)));
    const found = staged.find(({ storageId }) => storageId === storage);
    if (found) return found;
  }
  throw new Error('this host has pulled none of them');
}

it('O16: a batch is pushed completely and once, although one of them is killed for good in the middle', async () => {
  const images = await pushFamily(source, 'batch', COUNT);
  const ids = await submitAll('batch', COUNT);
  const victim = at(hosts, 0);
  const lost = await storageOf(victim);
  const open = async () =>
    (await jobs(ids)).filter(({ storageId, status }) => storageId === lost && status !== 'pushed')
      .length;
  await expect.poll(open, { interval: 20 }).toBeGreaterThan(0);
  await victim.worker.kill('SIGKILL');
  await letExpire(victim);
  for (const id of ids)
    await harness.until(id, ({ status }) => status === 'pushed', 2 * PATIENCE_MS);
  const done = await jobs(ids);
  expect(done.map(({ digest, error }) => [digest, error])).toEqual(
    images.map(({ digest }) => [digest, null]),
  );
  const moved = done.filter((job) => kinds(job).includes('storage_lost'));
  expect(moved.length).toBeGreaterThan(0);
  expect(moved.filter(({ storageId }) => storageId === lost)).toEqual([]);
  expect(new Set(done.map(({ storageId }) => storageId)).size).toBeGreaterThan(1);
  await expectPushed('batch', images);
  await expect.poll(async () => (await pushedEvents()).toSorted()).toEqual(ids.toSorted());
});

it('O16: a worker that returns with its directory continues with its images, without another pull', async () => {
  const host = at(hosts, 1);
  const job = await stagedAt(host, 'return');
  await host.worker.kill('SIGKILL');
  const fetched = slow.blobGets().length;
  await harness.push(job.id, { repository: 'team/returned', tag: '1' });
  await harness.until(job.id, ({ status }) => status === 'push_queued');
  host.worker = await harness.startHost('host-b-again', { ...ENV, DATA_DIR: host.dir.path });
  const pushed = await harness.until(job.id, ({ status }) => status === 'pushed');
  expect(pushed.storageId).toBe(job.storageId);
  expect(kinds(pushed)).not.toContain('storage_lost');
  expect(slow.blobGets()).toHaveLength(fetched);
});

it('O16: a staged job whose storage is lost is pulled again by its digest when it is pushed', async () => {
  const gone = await startHost('host-d');
  const job = await stagedAt(gone, 'gone');
  await gone.worker.kill('SIGKILL');
  await letExpire(gone);
  // The tag was moved; the push must not use what it names now.
  await pushImage(
    source.url,
    job.image,
    '1',
    await buildImage({ layers: [{ 'other.txt': 'other' }] }),
  );
  await harness.push(job.id, { repository: 'team/gone', tag: '1' });
  const pushed = await harness.until(job.id, ({ status }) => status === 'pushed');
  expect(kinds(pushed)).toContain('storage_lost');
  expect(pushed.storageId).not.toBe(job.storageId);
  const answer = await fetchManifest(harness.registry.url, 'team/gone', '1');
  expect(answer.headers['docker-content-digest']).toBe(job.digest);
});

it('O16: a job of a restored backup, without a storage, is claimed by a worker', async () => {
  const job = await stagedAt(at(hosts, 1), 'older');
  await sql.query('UPDATE staging_jobs SET storage_id = NULL WHERE id = $1', [job.id]);
  await harness.push(job.id, { repository: 'team/older', tag: '1' });
  const pushed = await harness.until(job.id, ({ status }) => status === 'pushed');
  const alive = await Promise.all([1, 2].map((n) => storageOf(at(hosts, n))));
  expect(alive).toContain(pushed.storageId);
});

it('O16: each worker removes from its directory what is deleted or stored elsewhere', async () => {
  const [one, other] = [at(hosts, 1), at(hosts, 2)];
  const [deleted, moved, kept] = await Promise.all(
    ['deleted', 'moved', 'kept'].map((family) => stagedAt(one, family)),
  );
  if (!deleted || !moved || !kept) throw new Error('three were staged');
  const storageId = await storageOf(one);
  const staged = () => readdir(path.join(one.dir.path, 'cache', 'staging'));
  expect(await staged()).toEqual(expect.arrayContaining([deleted.id, moved.id, kept.id]));
  await harness.store.jobs.remove(deleted.id);
  await harness.queues.enqueue({ name: 'discard', jobId: deleted.id }, { storageId });
  await expect.poll(staged).not.toContain(deleted.id);
  await sql.query('UPDATE staging_jobs SET storage_id = $2 WHERE id = $1', [
    moved.id,
    await storageOf(other),
  ]);
  await harness.queues.enqueue({ name: 'prune-cache' }, { storageId });
  await expect.poll(staged).not.toContain(moved.id);
  expect(await staged()).toContain(kept.id);
});
