/** Retention of tags by a worker, with a real registry. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { recent } from '@portcullis/events';
import { OCI_MANIFEST } from '@portcullis/oci';
import { pushImage, randomImage, type TestImage } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import {
  ended,
  folderWith,
  harness,
  inIndex,
  inRegistry,
  pushed,
  putBack,
  request,
  slowDown,
  sql,
  startRetention,
} from './retention.fixture.ts';

startRetention();

const signatureOf = ({ digest }: TestImage) => `${digest.replace(':', '-')}.sig`;

describe('a run', () => {
  it('removes what no term keeps, in the registry and the index, with events', async () => {
    const { id, name, repository } = await folderWith({ keepNewest: 2, keep: ['v*'] }, ['lts']);
    for (const [tag, days] of [
      ['new', 1],
      ['second', 2],
      ['old', 3],
      ['v1', 9],
      ['lts', 9],
    ] as const)
      await pushed(repository, tag, days);
    const other = await pushed(`${name}/other`, 'one', 90);
    await pushed(`${name}/other`, 'two', 90, other);
    await request(id);
    expect(await ended(id)).toMatchObject({
      ...{ state: 'done', error: null, requestedBy: 'ann' },
      ...{ repositories: 2, tagsRemoved: 1, tagsKept: 6, tagsFailed: 0 },
    });
    const left = ['lts', 'new', 'second', 'v1'];
    expect(await inRegistry(repository)).toEqual(left);
    expect(await inIndex(repository)).toEqual(left);
    expect(await inRegistry(`${name}/other`)).toEqual(['one', 'two']);
    const events = async () =>
      (await recent(harness.redis, 50))
        .filter(({ actor, resource }) => actor.name === 'retention' && resource?.folder === name)
        .map(({ event, outcome, detail }) => [event, outcome, detail.tag ?? detail.tags_removed])
        .reverse();
    await expect.poll(events).toEqual([
      ['image.tag_delete', 'success', 'old'],
      ['folder.retention_ran', 'success', 1],
    ]);
  });

  it('leaves other tags of the same image, and frees no blob', async () => {
    const { id, repository } = await folderWith({ keepDays: 5 });
    const image = await pushed(repository, 'new', 1);
    await pushed(repository, 'old', 9, image);
    await request(id);
    expect(await ended(id)).toMatchObject({ tagsRemoved: 1, tagsKept: 1 });
    expect(await inRegistry(repository)).toEqual(['new']);
    const manifest = `${harness.registry.url}/v2/${repository}/manifests/${image.digest}`;
    expect((await fetch(manifest, { headers: { accept: OCI_MANIFEST } })).status).toBe(200);
  });

  it('removes signatures with the last tag of their image, and keeps others', async () => {
    const { id, repository } = await folderWith({ keepDays: 5 });
    const [old, fresh] = [await pushed(repository, 'old', 9), await pushed(repository, 'new', 1)];
    await pushed(repository, signatureOf(old), 9);
    await pushed(repository, signatureOf(fresh), 9);
    await request(id);
    expect(await ended(id)).toMatchObject({ tagsRemoved: 2, tagsKept: 2 });
    expect(await inRegistry(repository)).toEqual(['new', signatureOf(fresh)].sort());
  });

  it('leaves a tag that the registry has moved since it was decided, with its signature', async () => {
    const { id, repository } = await folderWith({ keepDays: 5 });
    const signed = await pushed(repository, 'moved', 9);
    await pushed(repository, signatureOf(signed), 9);
    await pushed(repository, 'old', 9);
    const [moved, again] = [await randomImage(), await pushed(repository, 'again', 9)];
    // The index does not know these yet: one is another image, one the same.
    await pushImage(harness.registry.url, repository, 'moved', moved);
    await pushImage(harness.registry.url, repository, 'kept', signed);
    await harness.store.images.record({
      ...{ repository, tag: 'kept', digest: signed.digest, manifests: [], at: new Date() },
    });
    expect(again.digest).not.toBe(moved.digest);
    await request(id);
    expect(await ended(id)).toMatchObject({ state: 'done', tagsRemoved: 2, tagsFailed: 0 });
    expect(await inRegistry(repository)).toEqual(['kept', 'moved', signatureOf(signed)].sort());
    const indexed = await harness.store.images.tagNames(repository);
    expect(indexed).toContainEqual({ tag: 'moved', digest: moved.digest });
  });

  it('goes on after a tag that the registry does not remove', async () => {
    const { id, repository } = await folderWith({ keepDays: 5 });
    for (const tag of ['a', 'b']) await pushed(repository, tag, 9);
    const tags = path.join(
      harness.registry.storageDir,
      `docker/registry/v2/repositories/${repository}/_manifests/tags`,
    );
    await writeFile(path.join(tags, 'a/current/link'), 'no digest');
    await request(id);
    expect(await ended(id)).toMatchObject({ state: 'done', tagsRemoved: 1, tagsFailed: 1 });
    expect(await inIndex(repository)).toEqual(['a']);
  });

  it('ends before its next removal once its rule is removed', async () => {
    const { id, repository } = await folderWith({ keepDays: 5 });
    for (let n = 0; n < 8; n++) await pushed(repository, `t${n}`, 9);
    await slowDown(repository, 0.3);
    await request(id);
    const left = async () => (await inRegistry(repository)).length;
    await expect.poll(left).toBeLessThan(8);
    await harness.store.folders.update(id, { retention: null });
    const atChange = await left();
    await expect.poll(() => putBack(id)).toBe(true);
    await sql.query('DROP TRIGGER slow ON local_tags; DROP FUNCTION slow');
    expect(await left()).toBeGreaterThanOrEqual(atChange - 1);
  });
});
