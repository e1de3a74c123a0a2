/** A retention whose worker is killed or stopped, one without its registry, and damaged tags. */
import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryDir } from '../../../packages/local-registry/src/storage/storage.ts';
import {
  ENV,
  ended,
  folderWith,
  harness,
  inIndex,
  inRegistry,
  pushed,
  putBack,
  request,
  setWorker,
  slowDown,
  sql,
  startRetention,
  worker,
} from './retention.fixture.ts';

startRetention();

/** Empty after a crash, so that the registry answers 500 about the tag. */
function tagLink(repository: string, tag: string): string {
  const dir = repositoryDir(harness.registry.storageDir, repository);
  return path.join(dir, '_manifests/tags', tag, 'current/link');
}

describe('a run', () => {
  it.each([
    ['was killed', 'SIGKILL'],
    ['was stopped', 'SIGTERM'],
  ] as const)('whose worker %s is taken up where it was', async (_, stop) => {
    const { id, name } = await folderWith({ keepDays: 5 });
    const images = ['a', 'b', 'c'];
    for (const image of images)
      for (const tag of ['1', '2']) await pushed(`${name}/${image}`, tag, 9);
    await slowDown(`${name}/b`, 2);
    await request(id);
    const removed = async () => (await harness.store.retention.latest(id))?.tagsRemoved ?? 0;
    await expect.poll(removed).toBeGreaterThanOrEqual(2);
    await inRegistryOnly(`${name}/b`);
    await worker.kill(stop);
    await sql.query('DROP TRIGGER slow ON local_tags; DROP FUNCTION slow');
    const stopped = await harness.store.retention.latest(id);
    const isKilled = stop === 'SIGKILL';
    expect(stopped?.state).toBe(isKilled ? 'running' : 'queued');
    if (!isKilled) expect(stopped?.tagsRemoved).toBe(6 - (await inIndexOf(name, images)));
    setWorker(await harness.startWorker(ENV));
    const run = await ended(id);
    expect(run).toMatchObject({ state: 'done', repositories: 3, tagsKept: 0 });
    if (!isKilled) expect(run?.tagsRemoved).toBe(6);
    for (const image of images) expect(await inRegistry(`${name}/${image}`)).toEqual([]);
    for (const image of images) expect(await inIndex(`${name}/${image}`)).toEqual([]);
  });

  it('goes on behind a repository whose tags can not be removed, and so does eviction', async () => {
    const terms = { prefix: '', allow: ['*'], platforms: [], checkMinutes: 60, keepDays: 5 };
    const mirror = { registryId: null, ...terms };
    await harness.store.folders.insertFolder({ name: 'hub', mirror });
    const { id, name } = await folderWith({ keepDays: 5 });
    for (const folder of [name, 'hub']) {
      for (const tag of ['1', '2', '3', '4', '5']) {
        await pushed(`${folder}/broken`, tag, 9);
        await truncate(tagLink(`${folder}/broken`, tag), 0);
      }
      await pushed(`${folder}/later`, '1', 9);
    }
    await request(id);
    expect(await ended(id)).toMatchObject({ state: 'done', tagsRemoved: 1, tagsFailed: 5 });
    for (const folder of [name, 'hub']) {
      await expect.poll(() => inIndex(`${folder}/later`)).toEqual([]);
      expect(await inIndex(`${folder}/broken`)).toHaveLength(5);
    }
  });

  it('waits for a registry that cannot be reached, and removes nothing meanwhile', async () => {
    const { id, repository } = await folderWith({ keepDays: 5 });
    for (let n = 0; n < 6; n++) await pushed(repository, `t${n}`, 9);
    await harness.registry.stop();
    await request(id);
    await expect.poll(() => putBack(id)).toBe(true);
    expect(await harness.store.retention.latest(id)).toMatchObject({ tagsFailed: 0 });
    expect(await inIndex(repository)).toHaveLength(6);
    // As an hour later.
    await sql.query(
      "UPDATE retention_runs SET started_at = now() - interval '61 minutes', lease_until = NULL",
    );
    await harness.queues.enqueue({ name: 'apply-retention' });
    expect(await ended(id)).toMatchObject({
      ...{ state: 'failed', tagsRemoved: 0, error: { code: 'REGISTRY_UNREACHABLE' } },
    });
    expect(await inIndex(repository)).toHaveLength(6);
  });

  async function inIndexOf(folder: string, images: string[]): Promise<number> {
    const tags = await Promise.all(images.map((image) => inIndex(`${folder}/${image}`)));
    return tags.flat().length;
  }

  /** Until a tag is removed that the index still has. */
  async function inRegistryOnly(repository: string): Promise<void> {
    const isAhead = async () =>
      (await inRegistry(repository)).length < (await inIndex(repository)).length;
    await expect.poll(isAhead).toBe(true);
  }
});
