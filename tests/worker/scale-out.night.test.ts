/** Three workers with their own host names and process ids, on one Redis, database and DATA_DIR. */
import type { StagingJob } from '@portcullis/domain';
import {
  eventually,
  fetchManifest,
  openSql,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pushFamily } from './batch.ts';
import { type Harness, openHarness, type WorkerProcess } from './harness.ts';
import { type FaultyRegistry, startProxy } from './proxy.ts';

const HOSTS = ['host-a', 'host-b', 'host-c'];
const COUNT = 24;

let harness: Harness;
let source: TestRegistry;
let slow: FaultyRegistry;
let hosts: WorkerProcess[];

beforeAll(async () => {
  [harness, source] = await Promise.all([openHarness(), startRegistry()]);
  slow = await startProxy(source.url, { delayMs: 150 });
  const env = { WORKER_CONCURRENCY: '2', BLOB_CONCURRENCY: '1' };
  hosts = await Promise.all(HOSTS.map((name) => harness.startHost(name, env)));
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await slow?.[Symbol.asyncDispose]();
  await source?.stop();
});

async function submitAll(family: string): Promise<string[]> {
  const names = Array.from({ length: COUNT }, (_, n) => `${family}-${n}`);
  const jobs = await Promise.all(
    names.map((image) => harness.submit({ image, tag: '1', host: slow.host })),
  );
  return jobs.map(({ id }) => id);
}

async function allSettled(ids: readonly string[]): Promise<StagingJob[]> {
  return Promise.all(ids.map((id) => harness.settled(id)));
}

const digests = (images: readonly TestImage[]) => images.map(({ digest }) => digest);

/** The hosts that ran stages. */
async function watch(until: Promise<unknown>): Promise<Set<string>> {
  const sql = await openSql(harness.databaseUrl);
  const seen = new Set<string>();
  let over = false;
  const done = until.finally(() => {
    over = true;
  });
  const isOver = async () => {
    const { rows } = await sql.query<{ worker_id: string }>(
      'SELECT DISTINCT worker_id FROM staging_jobs WHERE worker_id IS NOT NULL',
    );
    for (const { worker_id } of rows) seen.add(worker_id.replace(/-\d+$/, ''));
    return over;
  };
  await eventually(isOver, Boolean, { patienceMs: Number.POSITIVE_INFINITY });
  await sql.end();
  await done;
  return seen;
}

it('work is spread over them, and nothing is done twice', async () => {
  const images = await pushFamily(source, 'shared', COUNT);
  const ids = await submitAll('shared');
  const settled = allSettled(ids);
  expect([...(await watch(settled))].sort()).toEqual(HOSTS);
  const jobs = await settled;
  expect(jobs.map(({ status, digest }) => [status, digest])).toEqual(
    digests(images).map((digest) => ['staged', digest]),
  );
  // Each stage began once, and shared blobs were downloaded once, by whichever host.
  expect(jobs.filter(({ fence }) => fence !== 2)).toEqual([]);
  const paths = slow.blobGets().map(({ path }) => path.split('/').at(-1));
  expect(paths).toHaveLength(new Set(paths).size);
});

it('nothing is lost when any of them is killed', async () => {
  const images = await pushFamily(source, 'killed', COUNT);
  const ids = await submitAll('killed');
  const staged = async () =>
    (await Promise.all(ids.map((id) => harness.store.jobs.get(id)))).filter(
      ({ status }) => status === 'staged',
    ).length;
  await expect.poll(staged).toBeGreaterThan(2);
  await hosts[0]?.kill('SIGKILL');
  await expect.poll(staged).toBeGreaterThan(6);
  await hosts[1]?.kill('SIGKILL');
  expect(await staged()).toBeLessThan(COUNT);
  const jobs = await allSettled(ids);
  expect(jobs.map(({ status, digest, error }) => [status, digest, error])).toEqual(
    digests(images).map((digest) => ['staged', digest, null]),
  );

  for (const { id, image } of jobs)
    await harness.push(id, { repository: `team/${image}`, tag: '1' });
  for (const id of ids) await harness.until(id, ({ status }) => status === 'pushed');
  for (const [n, { digest }] of images.entries())
    expect(
      (await fetchManifest(harness.registry.url, `team/killed-${n}`, '1')).headers[
        'docker-content-digest'
      ],
    ).toBe(digest);
});
