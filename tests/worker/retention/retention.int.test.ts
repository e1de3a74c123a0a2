/** Retention of tags by a worker, with a real registry. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RetentionRule } from '@portcullis/domain/retention';
import { recent } from '@portcullis/events';
import { OCI_MANIFEST } from '@portcullis/oci';
import type { RetentionRun } from '@portcullis/store';
import { eventually, openSql, pushImage, randomImage, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, openHarness, type WorkerProcess } from '../harness.ts';

const DAY_MS = 86_400_000;
const ENV = { RECONCILE_SECONDS: '86400' };

let harness: Harness;
let worker: WorkerProcess;
let sql: Awaited<ReturnType<typeof openSql>>;
beforeAll(async () => {
  harness = await openHarness();
  sql = await openSql(harness.databaseUrl);
  worker = await harness.startWorker(ENV);
  // At its start it may find what a test has pushed, and take it for new.
  await eventually(() => worker.lines.some((line) => line.includes('index is reconciled')));
});
afterAll(async () => {
  await sql?.end();
  await harness?.[Symbol.asyncDispose]();
});

let folders = 0;

/** A folder of its own, so that no test has another one's tags. */
async function folderWith(rule: Partial<RetentionRule>, immutableTags: string[] = []) {
  const name = `team${++folders}`;
  const retention = { keepNewest: null, keepDays: null, keep: [], ...rule };
  // Begun by a request alone: the recurring task looks for new rules once an hour.
  const { id } = await harness.store.folders.insertFolder({ name, immutableTags, retention });
  return { id, name, repository: `${name}/app` };
}

/** As a push of so many days ago. */
async function pushed(repository: string, tag: string, days: number, image?: TestImage) {
  const built = image ?? (await randomImage());
  await pushImage(harness.registry.url, repository, tag, built);
  await harness.store.images.record({
    ...{ repository, tag, digest: built.digest, manifests: [] },
    at: new Date(Date.now() - days * DAY_MS),
  });
  return built;
}

async function inRegistry(repository: string): Promise<string[]> {
  const answer = await fetch(`${harness.registry.url}/v2/${repository}/tags/list`);
  const { tags } = answer.ok ? ((await answer.json()) as { tags: string[] | null }) : { tags: [] };
  return (tags ?? []).sort();
}

async function inIndex(repository: string): Promise<string[]> {
  return (await harness.store.images.tagNames(repository)).map(({ tag }) => tag).sort();
}

async function request(id: string): Promise<void> {
  await harness.store.retention.request(id, 'ann');
  await harness.queues.enqueue({ name: 'apply-retention' });
}

async function ended(id: string): Promise<RetentionRun | null> {
  const state = async () => (await harness.store.retention.latest(id))?.state ?? null;
  await expect.poll(state).toMatch(/done|failed/);
  return harness.store.retention.latest(id);
}

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
    worker = await harness.startWorker(ENV);
    const run = await ended(id);
    expect(run).toMatchObject({ state: 'done', repositories: 3, tagsKept: 0 });
    if (!isKilled) expect(run?.tagsRemoved).toBe(6);
    for (const image of images) expect(await inRegistry(`${name}/${image}`)).toEqual([]);
    for (const image of images) expect(await inIndex(`${name}/${image}`)).toEqual([]);
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

  /** Makes each removal from the index take so long. */
  async function slowDown(repository: string, seconds: number): Promise<void> {
    await sql.query(`
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_sleep(${seconds}); RETURN OLD; END';
      CREATE TRIGGER slow BEFORE DELETE ON local_tags FOR EACH ROW
        WHEN (OLD.repository = '${repository}') EXECUTE FUNCTION slow()`);
  }

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

  /** Whether an attempt has ended, and the run waits for another one. */
  async function putBack(id: string): Promise<boolean> {
    const { rows } = await sql.query(
      "SELECT attempts > 0 AND state = 'queued' AS waits FROM retention_runs WHERE folder_id = $1",
      [id],
    );
    return rows[0]?.waits ?? false;
  }
});
