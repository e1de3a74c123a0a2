/** What sweep-directory.int and sweep-many-writes.night start, and how they look at it. */
import { openRedis, type Redis } from '@portcullis/runtime';
import {
  buildImage,
  fetchManifest,
  pushImage,
  startRedis,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { type CollectorLock, createCollectorLock } from './collector-lock.ts';
import { sweepDirectory } from './sweep-directory.ts';
import { createWriteLock, type WriteLock } from './write-lock.ts';

export const REPOSITORY = 'team/app';

const parts = new AsyncDisposableStack();

export let registry: TestRegistry;

export let redis: Redis;

export let registryLock: WriteLock;

/** A collector's lock that runs the work after the search, before anything is deleted. */
function interrupted(work: () => Promise<unknown>): CollectorLock {
  const lock = createCollectorLock(redis);
  return {
    ...lock,
    async begin(options) {
      const begun = await lock.begin(options);
      let isFirst = true;
      return {
        ...begun,
        async pause(each) {
          if (isFirst) await work();
          isFirst = false;
          return begun.pause(each);
        },
      };
    },
  };
}

export const sweep = (work: () => Promise<unknown> = async () => {}) =>
  sweepDirectory({
    storageDir: registry.storageDir,
    dryRun: false,
    deleteUntagged: true,
    registryLock: interrupted(work),
    forget: async () => {},
    now: () => new Date(),
    signal: new AbortController().signal,
    line: () => {},
  });

export const image = (name: string) => buildImage({ layers: [{ a: name }] });

export const push = (tag: string | null, each: TestImage) =>
  pushImage(registry.url, REPOSITORY, tag, each);

export const status = async (reference: string) =>
  (await fetchManifest(registry.url, REPOSITORY, reference)).status;

export async function isWhole({ digest, blobs, children }: TestImage): Promise<boolean> {
  const found = await Promise.all(
    blobs.map(({ descriptor }) =>
      fetch(`${registry.url}/v2/${REPOSITORY}/blobs/${descriptor.digest}`),
    ),
  );
  const below = await Promise.all(children.map(isWhole));
  return (
    (await status(digest)) === 200 &&
    found.every((each) => each.status === 200) &&
    below.every(Boolean)
  );
}

export async function putTag(tag: string, { bytes, descriptor }: TestImage): Promise<void> {
  const put = await fetch(`${registry.url}/v2/${REPOSITORY}/manifests/${tag}`, {
    method: 'PUT',
    headers: { 'content-type': descriptor.mediaType },
    body: Buffer.from(bytes),
  });
  expect(put.status).toBe(201);
}

export function startSwept(): void {
  beforeAll(async () => {
    registry = parts.use(await startRegistry());
    redis = openRedis(parts.use(await startRedis()).url, { mode: 'patient' });
    parts.defer(() => redis.disconnect());
    registryLock = createWriteLock(redis, { patienceMs: 200 });
    // The lock has recorded writes since before these.
    await registryLock.needs('team/any', [`sha256:${'0'.repeat(64)}`]);
  });
  afterAll(() => parts.disposeAsync());
}
