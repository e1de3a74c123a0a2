/**
 * A worker that is killed while it deletes garbage beside pushes: the registry is writable again,
 * each push is complete, and another worker completes the collection.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { recent } from '@portcullis/events';
import { createWriteLock, isCollecting, type WriteLock } from '@portcullis/local-registry';
import {
  buildImage,
  fetchManifest,
  pushBlob,
  pushImage,
  type TestImage,
} from '@portcullis/testing';
import { expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

// As many of each as take the worker seconds to delete.
it.each([
  ['manifests', 2_000],
  ['blobs', 8_000],
] as const)(
  'a worker killed while it deletes %s: the registry is writable again, pushes are complete, another worker completes it',
  async (kind, count) => {
    await using own = await openHarness();
    const { url, storageDir } = own.registry;
    const registryLock = createWriteLock(own.redis);
    await registryLock.needs('team/any', [`sha256:${'0'.repeat(64)}`]);
    const kept = await buildImage({ layers: [{ a: 'kept' }] });
    await pushImage(url, 'team/app', '1', kept);
    const garbage = writeGarbage(storageDir, count);
    const manifests = kind === 'manifests' ? linkGarbage(storageDir, 'team/app', count) : [];
    const watched = kind === 'manifests' ? manifests : garbage;
    const worker = await own.startWorker({ REGISTRY_STORAGE: storageDir });
    await using pushes = pushOnAndOn(own, registryLock);

    const options = { deleteUntagged: true };
    await own.store.maintenance.request({ kind: 'gc', options, requestedBy: 'root' });
    // A few of them: to watch all would slow down what is watched.
    const some = watched.filter((_, nth) => nth % (count / 200) === 0);
    await expect.poll(() => left(some), { interval: 5 }).toBeLessThan(some.length);
    await worker.kill('SIGKILL');
    expect(left(watched)).toBeGreaterThan(0);

    const others = await own.startWorker({ REGISTRY_STORAGE: storageDir });
    const before = pushes.done.length;
    await expect.poll(() => pushes.done.length).toBeGreaterThan(before + 1);
    await expect
      .poll(() => own.store.maintenance.latest('gc'), { interval: 200 })
      .toMatchObject({ state: 'done', error: null, attempts: 2 });
    expect([left(manifests), left(garbage)]).toEqual([0, 0]);
    const events = async () =>
      (await recent(own.redis, 50)).filter((each) => each.event === 'system.gc_finished');
    await expect.poll(events).toMatchObject([{ outcome: 'success' }]);
    const pushed = await pushes.stop();
    for (const [repository, image] of [['team/app', kept] as const, ...pushed]) {
      expect((await fetchManifest(url, repository, image.digest)).status).toBe(200);
      for (const { descriptor } of image.blobs) {
        const answer = await fetch(`${url}/v2/${repository}/blobs/${descriptor.digest}`);
        expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([
          200,
          descriptor.size,
        ]);
      }
    }
    await others.kill('SIGTERM');
  },
);

const textOf = (n: number) => JSON.stringify({ garbage: n });
const hexOf = (n: number) => createHash('sha256').update(textOf(n)).digest('hex');

/** The files of blobs that no manifest names. */
function writeGarbage(storageDir: string, count: number): string[] {
  const blobs = path.join(storageDir, 'docker/registry/v2/blobs/sha256');
  return Array.from({ length: count }, (_, n) =>
    written(path.join(blobs, hexOf(n).slice(0, 2), hexOf(n), 'data'), textOf(n)),
  );
}

/** The links that make the same blobs untagged manifests. */
function linkGarbage(storageDir: string, repository: string, count: number): string[] {
  const dir = path.join(storageDir, 'docker/registry/v2/repositories', repository);
  return Array.from({ length: count }, (_, n) =>
    written(path.join(dir, '_manifests/revisions/sha256', hexOf(n), 'link'), `sha256:${hexOf(n)}`),
  );
}

function written(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function left(files: string[]): number {
  return files.filter((file) => existsSync(file)).length;
}

/** Like pushes through the api: one image after another, with retries while a collection runs. */
function pushOnAndOn({ registry }: Harness, registryLock: WriteLock) {
  const done: [repository: string, image: TestImage][] = [];
  let stopped = false;
  async function letIn(work: () => Promise<unknown>): Promise<void> {
    const held = await registryLock.write(work).then(
      () => false,
      (error: unknown) => isCollecting(error) || Promise.reject(error),
    );
    if (held) await letIn(work);
  }
  async function run(): Promise<void> {
    for (let n = 0; !stopped; n++) {
      const repository = `team/pushed${n % 5}`;
      const image = await buildImage({ layers: [{ n: `pushed ${n}` }] });
      for (const blob of image.blobs) {
        await letIn(async () => {
          await registryLock.needs(repository, [blob.descriptor.digest]);
          await pushBlob(registry.url, repository, blob);
        });
      }
      await letIn(async () => {
        await registryLock.touches(repository, [image.digest]);
        await pushImage(registry.url, repository, `v${n}`, image);
      });
      done.push([repository, image]);
    }
  }
  const running = run();
  async function stop() {
    stopped = true;
    await running;
    return done;
  }
  return { done, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}
