/** Jobs of selected platforms whose image is lost between their pull and their push. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { StagingJob } from '@portcullis/domain';
import type { NewJob } from '@portcullis/store';
import {
  buildImage,
  buildIndex,
  fetchManifest,
  openSql,
  PATIENCE_MS,
  pushImage,
  startRegistry,
  type TestImage,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness, pushBy } from './harness.ts';

const PLATFORMS = ['linux/amd64', 'linux/arm64', 'linux/s390x'];
const SELECTED = PLATFORMS.slice(0, 2);

let harness: Harness;
let source: TestRegistry;

beforeAll(async () => {
  [harness, source] = await Promise.all([openHarness(), startRegistry()]);
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await source?.stop();
});

async function indexOf(text: string): Promise<TestImage> {
  return buildIndex(
    await Promise.all(
      PLATFORMS.map((platform) => buildImage({ layers: [{ [platform]: text }], platform })),
    ),
  );
}

/** Its tag has been moved since the pull. */
async function pulled(image: string, job: Partial<NewJob>): Promise<StagingJob> {
  await pushImage(source.url, image, '1', await indexOf('first'));
  const { id } = await harness.submit({
    image,
    tag: '1',
    host: source.host,
    platforms: SELECTED,
    ...job,
  });
  const done = await harness.until(id, ({ digest, status }) => {
    return digest !== null && status !== 'pulling';
  });
  await pushImage(source.url, image, '1', await indexOf('second'));
  return done;
}

async function expectPushed(repository: string, { id, digest }: StagingJob): Promise<void> {
  await harness.until(
    id,
    ({ status }) => status === 'pushed' || status === 'failed',
    2 * PATIENCE_MS,
  );
  expect(await harness.store.jobs.get(id)).toMatchObject({ status: 'pushed', error: null, digest });
  const answer = await fetchManifest(harness.registry.url, repository, '1');
  expect([answer.status, answer.headers['docker-content-digest']]).toEqual([200, digest]);
}

it.each([
  ['complete', false],
  ['of manifests, in a transfer', true],
])('a push reads from the source what a deleted layout had: one that was %s', async (_, auto) => {
  const image = `deleted-${auto}`;
  const repository = `team/${image}`;
  await using dir = await temporaryDir();
  const puller = await harness.startWorker({ WORKER_STAGES: 'pull', DATA_DIR: dir.path });
  const push = { ...pushBy(harness.admin, harness.registry.host), repository, tag: '1' };
  const job = await pulled(image, { auto, pushes: [push] });
  await puller.kill('SIGKILL');
  await rm(path.join(dir.path, 'cache', 'staging', job.id), { recursive: true });
  const pusher = await harness.startWorker({ WORKER_STAGES: 'scan,push', DATA_DIR: dir.path });
  await expectPushed(repository, job);
  await pusher.kill('SIGKILL');
});

it('O16: a job whose storage is lost is pulled again as the same index', async () => {
  await using dir = await temporaryDir();
  await harness.startWorker({ WORKER_STAGES: 'push' });
  const puller = await harness.startWorker({ WORKER_STAGES: 'pull,scan', DATA_DIR: dir.path });
  const push = {
    ...pushBy(harness.admin, harness.registry.host),
    repository: 'team/lost',
    tag: '1',
  };
  const job = await pulled('lost', { pushes: [push] });
  await harness.until(job.id, ({ status }) => status === 'push_queued');
  await puller.kill('SIGKILL');
  const sql = await openSql(harness.databaseUrl);
  await sql.query(`UPDATE storages SET seen_at = now() - interval '10 minutes' WHERE id = $1`, [
    job.storageId,
  ]);
  await sql.end();
  await harness.startWorker();
  await expectPushed('team/lost', job);
  const { timeline } = await harness.store.jobs.get(job.id);
  expect(timeline.map(({ kind }) => kind)).toContain('storage_lost');
});
