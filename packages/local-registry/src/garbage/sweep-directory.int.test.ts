/** Garbage collection in batches, with writes at the worst moments. */
import { createHash } from 'node:crypto';
import { openRedis, type Redis } from '@portcullis/runtime';
import {
  blobOf,
  buildImage,
  buildIndex,
  fetchManifest,
  PATIENCE_MS,
  pushBlob,
  pushImage,
  startRedis,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CollectorLock, createCollectorLock } from './collector-lock.ts';
import { sweepDirectory } from './sweep-directory.ts';
import { createWriteLock, type WriteLock } from './write-lock.ts';

const REPOSITORY = 'team/app';
const CLOSED = 'portcullis:registry-gate:closed';
const parts = new AsyncDisposableStack();

let registry: TestRegistry;
let redis: Redis;
let registryLock: WriteLock;

beforeAll(async () => {
  registry = parts.use(await startRegistry());
  redis = openRedis(parts.use(await startRedis()).url, { mode: 'patient' });
  parts.defer(() => redis.disconnect());
  registryLock = createWriteLock(redis, { patienceMs: 200 });
  // The lock has recorded writes since before these.
  await registryLock.needs('team/any', [`sha256:${'0'.repeat(64)}`]);
});
afterAll(() => parts.disposeAsync());

const waiting = () => ({ patienceMs: PATIENCE_MS, signal: new AbortController().signal });

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

const sweep = (work: () => Promise<unknown> = async () => {}) =>
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

const image = (name: string) => buildImage({ layers: [{ a: name }] });
const push = (tag: string | null, each: TestImage) =>
  pushImage(registry.url, REPOSITORY, tag, each);
const status = async (reference: string) =>
  (await fetchManifest(registry.url, REPOSITORY, reference)).status;

async function isWhole({ digest, blobs, children }: TestImage): Promise<boolean> {
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

async function putTag(tag: string, { bytes, descriptor }: TestImage): Promise<void> {
  const put = await fetch(`${registry.url}/v2/${REPOSITORY}/manifests/${tag}`, {
    method: 'PUT',
    headers: { 'content-type': descriptor.mediaType },
    body: Buffer.from(bytes),
  });
  expect(put.status).toBe(201);
}

it('what is tagged after the search is kept with all that it reaches; the rest is deleted', async () => {
  const [tagged, restored, child, gone] = await Promise.all(
    ['tagged', 'restored', 'child', 'gone'].map(image),
  );
  if (!tagged || !restored || !child || !gone) return expect.unreachable();
  for (const each of [tagged, restored, child, gone]) await push(null, each);
  const index = buildIndex([child]);
  await sweep(async () => {
    await registryLock.write(async () => {
      await registryLock.touches(REPOSITORY, [tagged.digest]);
      await putTag('tagged', tagged);
    });
    // A removal of a tag that fails puts it back, and knows its name alone.
    await registryLock.write(async () => {
      await registryLock.touches(REPOSITORY, ['restored']);
      await putTag('restored', restored);
    });
    await registryLock.write(async () => {
      await registryLock.touches(REPOSITORY, [index.digest]);
      await putTag('index', index);
    });
  });
  for (const each of [tagged, restored, index]) expect(await isWhole(each)).toBe(true);
  expect(await status(gone.digest)).toBe(404);
});

it('a blob that a push finds after the search is kept, by its sha512 digest as well', async () => {
  const [found, named] = [Buffer.from('found by a push'), Buffer.from('uploaded again')];
  for (const bytes of [found, named])
    await pushBlob(registry.url, REPOSITORY, blobOf('application/octet-stream', bytes));
  const sha512 = `sha512:${createHash('sha512').update(named).digest('hex')}`;
  const { digest } = blobOf('application/octet-stream', found).descriptor;
  await sweep(async () => {
    await registryLock.write(() => registryLock.needs(REPOSITORY, [digest]));
    await registryLock.write(async () => {
      await registryLock.needs(REPOSITORY, [sha512]);
      const start = await fetch(`${registry.url}/v2/${REPOSITORY}/blobs/uploads/`, {
        method: 'POST',
      });
      const at = new URL(start.headers.get('location') ?? '', registry.url);
      at.searchParams.set('digest', sha512);
      expect((await fetch(at, { method: 'PUT', body: named })).status).toBe(201);
    });
  });
  for (const each of [digest, sha512]) {
    const answer = await fetch(`${registry.url}/v2/${REPOSITORY}/blobs/${each}`);
    expect(answer.status).toBe(200);
  }
});

it('more writes than one batch reads are kept as well', async () => {
  const images = await Promise.all(Array.from({ length: 150 }, (_, n) => image(`many ${n}`)));
  for (const each of images) await push(null, each);
  await sweep(async () => {
    await registryLock.write(async () => {
      for (const [n, each] of images.entries()) {
        await registryLock.touches(REPOSITORY, [each.digest]);
        await putTag(`many-${n}`, each);
      }
    });
  });
  for (const each of images) expect(await isWhole(each)).toBe(true);
});

it('the lock: writes go on between pauses, and earlier releases see it closed', async () => {
  await using lock = await createCollectorLock(redis).begin(waiting());
  expect(await redis.exists(CLOSED)).toBe(1);
  await registryLock.write(() => registryLock.touches('team/one', ['1', '2']));
  {
    await using pause = await lock.pause(waiting());
    expect(pause.touched).toHaveLength(2);
    await expect(registryLock.write(async () => {})).rejects.toThrow(/garbage/);
  }
  expect(await registryLock.write(async () => 'in')).toBe('in');
  await using pause = await lock.pause(waiting());
  expect(pause.touched).toEqual([]);
});

it('a collection whose lock was lost pauses and deletes nothing more', async () => {
  const gone = await image('stays for now');
  await push(null, gone);
  const swept = sweep(() => redis.del(CLOSED));
  await expect(swept).rejects.toMatchObject({ code: 'GATE_LOST' });
  expect(await status(gone.digest)).toBe(200);
  expect(await registryLock.write(async () => 'in')).toBe('in');
  expect(await sweep()).toMatchObject({ manifests: 1 });
});
