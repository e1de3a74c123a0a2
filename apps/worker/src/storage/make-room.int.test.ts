/** N2: makes room by removing unused blobs and the images of finished jobs. */
import { access, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { advance, type StagingJob } from '@portcullis/domain';
import { openBlobCache } from '@portcullis/oci/layout';
import { createLogger, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  type TemporaryDir,
  type TestDatabase,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type MakeRoomPorts, makingRoom, releaseFinished } from './make-room.ts';

const DAY = 86_400_000;
const NEVER = new AbortController().signal;
const SIZE = 1_000;

let database: TestDatabase;
let store: Store;
let ownerId: string;
let dir: TemporaryDir;
let ports: MakeRoomPorts;
let published: string[];
let clock: Date;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  ownerId = (await store.users.insert({ username: 'kim', passwordHash: null })).id;
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

beforeEach(async () => {
  dir = await temporaryDir();
  published = [];
  clock = new Date();
  await mkdir(path.join(dir.path, 'staging'));
  await mkdir(path.join(dir.path, 'blobs/sha256'), { recursive: true });
  ports = {
    jobs: store.jobs,
    cache: openBlobCache(path.join(dir.path, 'blobs')),
    stagingDir: path.join(dir.path, 'staging'),
    publish: async ({ id }) => void published.push(id),
    now: () => clock,
    log: createLogger({ name: 'test', level: 'silent' }),
  };
});
afterEach(() => dir.remove());

const inCache = (blob: string) => path.join(dir.path, 'blobs/sha256', blob);
const inJob = ({ id }: StagingJob, ...parts: string[]) =>
  path.join(dir.path, 'staging', id, ...parts);
const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/** A job with an image of these blobs, which ended so many days ago. */
async function job(status: StagingJob['status'], blobs: string[], daysAgo = 1) {
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const { id } = await store.jobs.insert({ ownerId, image: 'a/b', tag: '1', source });
  const finishedAt = new Date(Date.now() - daysAgo * DAY);
  const created = await store.jobs.update(id, (row) => ({ ...row, status, finishedAt }));
  await mkdir(inJob(created, 'blobs/sha256'), { recursive: true });
  await mkdir(inJob(created, 'reports'));
  await writeFile(inJob(created, 'index.json'), '{}');
  for (const blob of blobs) {
    if (!(await isThere(inCache(blob)))) await writeFile(inCache(blob), 'x'.repeat(SIZE));
    await link(inCache(blob), inJob(created, 'blobs/sha256', blob));
  }
  return created;
}

it('the images of finished jobs go, the longest finished first, until there is enough', async () => {
  const jobs = [
    await job('pushed', ['a'], 1),
    await job('failed', ['b'], 3),
    await job('cancelled', ['c'], 2),
  ];
  expect(await makingRoom(ports)(SIZE + 1)).toBe(2 * SIZE);
  const [newest, oldest, other] = await Promise.all(jobs.map(({ id }) => store.jobs.get(id)));
  expect(newest?.imageReleasedAt).toBeNull();
  expect(oldest).toMatchObject({ status: 'failed', imageReleasedAt: clock });
  expect(oldest?.timeline.at(-1)?.kind).toBe('image_released');
  expect(other?.imageReleasedAt).toEqual(clock);
  expect(published).toEqual([oldest?.id, other?.id]);
  for (const each of jobs.slice(1)) {
    expect(await isThere(inJob(each, 'index.json'))).toBe(false);
    expect(await isThere(inJob(each, 'reports'))).toBe(true);
  }
  expect(await isThere(inCache('a'))).toBe(true);
});

it.each(['staged', 'push_queued', 'pull_queued', 'scanning', 'pushing'] as const)(
  'the image of a job that is %s stays',
  async (status) => {
    const kept = await job(status, ['a']);
    expect(await makingRoom(ports)(SIZE)).toBe(0);
    expect(await readFile(inJob(kept, 'blobs/sha256/a'), 'utf8')).toHaveLength(SIZE);
  },
);

it('unused blobs go before the image of any job', async () => {
  const kept = await job('pushed', ['a']);
  const unused = await job('pushed', ['b']);
  await store.jobs.remove(unused.id);
  await rm(inJob(unused), { recursive: true });
  // The time of the last link counts, which a test cannot set: all that is unused is old here.
  const { prune } = ports.cache;
  const aged = {
    prune: (options: Parameters<typeof prune>[0]) => prune({ ...options, olderThanMs: 0 }),
  };
  expect(await makingRoom({ ...ports, cache: aged })(SIZE)).toBe(SIZE);
  expect(await isThere(inCache('b'))).toBe(false);
  expect((await store.jobs.get(kept.id)).imageReleasedAt).toBeNull();
});

it('an image whose blobs are all used elsewhere stays, because its removal frees nothing', async () => {
  const kept = await job('pushed', ['a']);
  await link(inCache('a'), path.join(dir.path, 'of-the-registry'));
  expect(await makingRoom(ports)(SIZE)).toBe(0);
  expect((await store.jobs.get(kept.id)).imageReleasedAt).toBeNull();
});

it('an image that only finished jobs share is freed with the last of them', async () => {
  await job('pushed', ['a']);
  await job('pushed', ['a']);
  expect(await makingRoom(ports)(SIZE)).toBe(SIZE);
  expect(published).toHaveLength(2);
});

it('after an attempt that freed nothing, the next one waits for ten seconds', async () => {
  const make = makingRoom(ports);
  expect(await make(SIZE)).toBe(0);
  await job('pushed', ['a']);
  expect(await make(SIZE)).toBe(0);
  clock = new Date(clock.getTime() + 10_000);
  expect(await make(SIZE)).toBe(SIZE);
});

it('a job that is requested again at the same time keeps its image', async () => {
  const again = await job('pushed', ['a']);
  const jobs = {
    ...store.jobs,
    async withImageToRelease(ids: readonly string[]) {
      const found = await store.jobs.withImageToRelease(ids);
      await store.jobs.update(again.id, (row) => ({ ...row, status: 'push_queued' }));
      return found;
    },
  };
  expect(await makingRoom({ ...ports, jobs })(SIZE)).toBe(0);
  expect(await isThere(inJob(again, 'index.json'))).toBe(true);
});

it('images of finished jobs go after the days that they are kept, and come back with a pull', async () => {
  const old = await job('pushed', ['a'], 8);
  const young = await job('pushed', ['b'], 6);
  const week = new Date(Date.now() - 7 * DAY);
  expect(await releaseFinished(week, ports, NEVER)).toBe(1);
  expect((await store.jobs.get(young.id)).imageReleasedAt).toBeNull();
  expect(await releaseFinished(week, ports, NEVER)).toBe(0);
  const pulled = {
    kind: 'pulled',
    digest: 'sha256:a',
    sightedAt: new Date(0),
    mediaType: 'm',
    size: 1,
  } as const;
  const here = await store.jobs.update(old.id, (row) => advance(row, pulled, clock));
  expect((await store.jobs.get(here.id)).imageReleasedAt).toBeNull();
});
