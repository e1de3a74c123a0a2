/**
 * A garbage collection in batches while clients push, tag, mount, delete and pull through `/v2`:
 * whatever they do, each tag is whole afterwards, and nothing is left that nothing needs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createCollectorLock, createWriteLock } from '@portcullis/local-registry';
import type { MaintenanceRun } from '@portcullis/store';
import { PATIENCE_MS, pushImage, randomImage, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import { assertWhole, type RandomWriter, startRandomWriter } from './garbage-writers.ts';
import { type Harness, openHarness } from './harness.ts';

const REPOSITORIES = ['team/app', 'team/other', 'team/deep/er'] as const;
const LOOSE = 300;
const WRITERS = 4;

let harness: Harness;
let api: TestApi;
const nothing = async () => {};

beforeAll(async () => {
  harness = await openHarness();
  const { env, registry, dataDir } = harness;
  api = await startApi(
    { REGISTRY_STORAGE: registry.storageDir },
    { surroundings: { env, registry, dataDir, stopRedis: nothing, stop: nothing } },
  );
  await api.grant(await api.account('ann'), 'team', { canPull: true, canPush: true });
  // The lock has recorded writes since before these.
  await createWriteLock(harness.redis).needs('team/any', [`sha256:${'0'.repeat(64)}`]);
});
afterAll(async () => {
  await api?.stop();
  await harness?.[Symbol.asyncDispose]();
});

async function request(): Promise<void> {
  const options = { deleteUntagged: true };
  await harness.store.maintenance.request({ kind: 'gc', options, requestedBy: 'root' });
}

async function ended(): Promise<MaintenanceRun | null> {
  const isOver = async () =>
    ['done', 'failed'].includes((await harness.store.maintenance.latest('gc'))?.state ?? '');
  await expect.poll(isOver, { timeout: 2 * PATIENCE_MS }).toBe(true);
  return harness.store.maintenance.latest('gc');
}

/** Images that nothing needs, each with separate blobs; not pinned, as after a day. */
async function pushLoose(): Promise<TestImage[]> {
  const images = await Promise.all(
    Array.from({ length: LOOSE }, () =>
      randomImage({ layers: 1, bytes: 100, compression: 'gzip' }),
    ),
  );
  for (const image of images) await pushImage(harness.registry.url, 'team/app', null, image);
  return images;
}

function startWriters(loose: TestImage[], seed: number): RandomWriter[] {
  return Array.from({ length: WRITERS }, (_, n) =>
    startRandomWriter({
      url: api.url,
      name: `writer${n}`,
      loose,
      repositories: REPOSITORIES,
      seed: seed * WRITERS + n,
    }),
  );
}

/** Whether a writer is past its first writes. */
function isBusy({ done }: RandomWriter): boolean {
  return [...done.values()].reduce((sum, count) => sum + count, 0) >= 10;
}

async function assertTags(writers: RandomWriter[]): Promise<void> {
  for (const { tags } of writers)
    for (const [name, tagged] of tags) {
      if (tagged) await assertWhole(api.url, tagged);
      else expect(await isTag(name), name).toBe(false);
    }
}

async function isTag(name: string): Promise<boolean> {
  const [repository, tag] = name.split(':');
  const url = `${harness.registry.url}/v2/${repository}/manifests/${tag}`;
  return (await fetch(url, { method: 'HEAD' })).status === 200;
}

it.each([1, 2, 3])(
  'pushes, tags, mounts, deletions and pulls go on during a collection; then each tag is whole, and nothing unneeded is left (seed %i)',
  async (seed) => {
    const loose = await pushLoose();
    const worker = await harness.startWorker({ REGISTRY_STORAGE: harness.registry.storageDir });
    const writers = startWriters(loose, seed);
    await expect.poll(() => writers.every(isBusy)).toBe(true);
    await request();
    const run = await ended();
    await Promise.all(writers.map((writer) => writer.stop()));
    expect(run).toMatchObject({ state: 'done', error: null });
    expect(run?.result.manifestsDeleted).toBeGreaterThan(0);
    await assertTags(writers);

    await request();
    expect(await ended()).toMatchObject({ state: 'done', error: null });
    await assertTags(writers);
    expect(await unneeded(harness.registry.storageDir)).toEqual([]);
    await worker.kill('SIGTERM');
  },
);

/** Manifests and blobs that no tag and no pin reaches, by a separate reading. */
async function unneeded(storageDir: string): Promise<string[]> {
  const root = path.join(storageDir, 'docker/registry/v2');
  const { entries } = await createCollectorLock(harness.redis).needed();
  const needed = new Set(entries.map(({ digest }) => digest));
  const left: string[] = [];
  for (const repository of REPOSITORIES) {
    const dir = path.join(root, 'repositories', repository, '_manifests');
    const manifests = revisionsIn(dir).map((digest) => ({ digest, ...documentOf(root, digest) }));
    const roots = [
      ...tagsIn(dir),
      ...entries.filter((each) => each.repository === repository).map(({ digest }) => digest),
    ];
    const reached = reachedFrom(roots, manifests);
    left.push(...manifests.map(({ digest }) => digest).filter((digest) => !reached.has(digest)));
    for (const { digest, config, layers = [] } of manifests)
      for (const each of [digest, config?.digest ?? digest, ...layers.map((one) => one.digest)])
        needed.add(each);
  }
  return [...left, ...blobsIn(root).filter((digest) => !needed.has(digest))];
}

interface Document {
  config?: { digest: string };
  layers?: { digest: string }[];
  manifests?: { digest: string }[];
  subject?: { digest: string };
}

function reachedFrom(roots: string[], manifests: ({ digest: string } & Document)[]): Set<string> {
  const reached = new Set<string>();
  for (const waiting = [...roots]; waiting.length > 0; ) {
    const digest = waiting.pop() ?? '';
    if (reached.has(digest)) continue;
    reached.add(digest);
    for (const each of manifests) {
      if (each.digest === digest) waiting.push(...(each.manifests ?? []).map((one) => one.digest));
      if (each.subject?.digest === digest) waiting.push(each.digest);
    }
  }
  return reached;
}

function documentOf(root: string, digest: string): Document {
  return JSON.parse(readFileSync(fileOf(root, digest), 'utf8'));
}

function fileOf(root: string, digest: string): string {
  const hex = digest.slice('sha256:'.length);
  return path.join(root, 'blobs/sha256', hex.slice(0, 2), hex, 'data');
}

/** The digests of the files `…/sha256/<hex>/link` or `…/<hex>/data` below a directory. */
function digestsBelow(dir: string, file: string): string[] {
  return namesIn(dir, { recursive: true })
    .filter((each) => path.basename(each) === file)
    .map((each) => `sha256:${path.basename(path.dirname(each))}`);
}

const revisionsIn = (dir: string) => digestsBelow(path.join(dir, 'revisions'), 'link');
const blobsIn = (root: string) => digestsBelow(path.join(root, 'blobs'), 'data');

function tagsIn(dir: string): string[] {
  return namesIn(path.join(dir, 'tags')).map((tag) =>
    readFileSync(path.join(dir, 'tags', tag, 'current/link'), 'utf8'),
  );
}

/** None where no writer chose the repository. */
function namesIn(dir: string, { recursive = false } = {}): string[] {
  return existsSync(dir) ? readdirSync(dir, { recursive }).map(String) : [];
}
