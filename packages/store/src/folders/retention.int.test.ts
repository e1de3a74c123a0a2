/** Tags of a folder, and runs of its rule, on a real PostgreSQL. */
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../index.ts';

const RULE = { keepNewest: 1, keepDays: null, keep: ['v*'] };
const NOTHING = { repositories: 0, tagsKept: 0, tagsRemoved: 0, tagsFailed: 0 };
const SOME = { repositories: 2, tagsKept: 3, tagsRemoved: 4, tagsFailed: 1 };

let database: TestDatabase;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;
beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, { seal: (text) => text, open: (text) => text });
  sql = await openSql(database.url);
});
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});
beforeEach(async () => {
  await sql.query('DELETE FROM folders; DELETE FROM local_repositories');
  await store.folders.ensureRoot();
});

const digest = (n: number) => `sha256:${String(n).padStart(64, '0')}`;

async function folderWith(retention: typeof RULE | null, name = 'team') {
  return store.folders.insertFolder({ name, retention });
}

describe('the rule of a folder', () => {
  it('is kept, changed and removed', async () => {
    const { id, retention } = await folderWith(RULE);
    expect(retention).toEqual(RULE);
    const other = { ...RULE, keepDays: 7 };
    expect((await store.folders.update(id, { retention: other })).retention).toEqual(other);
    expect((await store.folders.update(id, { description: 'd' })).retention).toEqual(other);
    expect((await store.folders.update(id, { retention: null })).retention).toBeNull();
    expect((await folderWith(null, 'other')).retention).toBeNull();
    expect(await store.retention.claim()).toBeNull();
  });
});

describe('the tags of a folder', () => {
  it('are read by repository, over pages, with none of another folder', async () => {
    await folderWith(RULE);
    await sql.query(`
      INSERT INTO local_repositories (name, namespace, tag_count, updated_at, seen_at)
        SELECT name, split_part(name, '/', 1), 1, now(), now()
          FROM (SELECT 'team/r' || lpad(n::text, 4, '0') AS name FROM generate_series(1, 250) n
                UNION ALL VALUES ('team/many'), ('teams/x'), ('stray/x')) all_names;
      INSERT INTO local_tags (repository, tag, digest, updated_at)
        SELECT name, 'one', '${digest(1)}', now() FROM local_repositories;
      INSERT INTO local_tags (repository, tag, digest, updated_at)
        SELECT 'team/many', 't' || n, '${digest(2)}', now() FROM generate_series(1, 12000) n`);
    const read = async (folder: string, after?: string) => {
      const found: Record<string, number> = {};
      for await (const { repository, tags } of store.retention.repositories(folder, after))
        found[repository] = (found[repository] ?? 0) + tags.length;
      return found;
    };
    const team = await read('team');
    expect(Object.keys(team)).toHaveLength(251);
    expect(team).toMatchObject({ 'team/many': 12_001, 'team/r0001': 1, 'team/r0250': 1 });
    expect(Object.keys(await read('team', 'team/r0248'))).toEqual(['team/r0249', 'team/r0250']);
    expect(await read('__root__')).toEqual({ 'stray/x': 1, 'teams/x': 1 });
    expect(await read('none')).toEqual({});
    expect(await store.retention.findTag('team/many', 't1')).toMatchObject({ digest: digest(2) });
    expect(await store.retention.findTag('team/many', 'none')).toBeNull();
  });

  it('were found until they are pushed', async () => {
    const image = { repository: 'team/app', tag: '1', digest: digest(1), manifests: [] };
    const found = async () => (await store.retention.tags('team/app')).map((tag) => tag.found);
    await store.images.record({ ...image, at: new Date(), found: true });
    expect(await found()).toEqual([true]);
    for await (const { tags } of store.retention.repositories('team'))
      expect(tags).toMatchObject([{ tag: '1', found: true }]);
    await store.images.record({ ...image, at: new Date() });
    expect(await found()).toEqual([false]);
  });

  it('have the manifests that an index lists', async () => {
    const at = new Date();
    const facts = { artifactType: null, subject: null, size: 1, platforms: [], mediaType: 'm' };
    const contents = [{ digest: digest(1), size: 1, isManifest: true }];
    await store.images.record({
      ...{ repository: 'team/app', tag: '1', digest: digest(2), at },
      manifests: [
        {
          ...facts,
          digest: digest(1),
          contents: [{ digest: digest(3), size: 1, isManifest: false }],
        },
        { ...facts, digest: digest(2), contents },
      ],
    });
    expect(await store.retention.children('team/app')).toEqual(new Map([[digest(2), [digest(1)]]]));
  });
});

/** As an hour after the rule was found. */
async function claimed() {
  expect(await store.retention.claim()).toBeNull();
  await sql.query(`UPDATE retention_runs SET lease_until = now() - interval '1 second'`);
  const run = await store.retention.claim();
  if (!run) throw new Error('none was claimed');
  return run;
}

describe('a run', () => {
  it('of a new rule is claimed once, and again a day after it began', async () => {
    const { id } = await folderWith(RULE);
    expect(await store.retention.latest(id)).toBeNull();
    expect(await store.retention.waits()).toBe(false);
    const run = await claimed();
    expect(run).toMatchObject({ folder: 'team', rule: RULE, cursor: null, ...NOTHING });
    expect(run.claimedAt).toBeInstanceOf(Date);
    expect(await store.retention.claim()).toBeNull();
    expect(await store.retention.advance(run, { ...SOME, cursor: 'team/a' })).toBe(true);
    expect(await store.retention.finish(run, { ...SOME, error: null })).toBe(true);
    expect(await store.retention.latest(id)).toMatchObject({
      state: 'done',
      requestedBy: null,
      ...SOME,
    });
    expect(await store.retention.claim()).toBeNull();
    await sql.query(`UPDATE retention_runs SET requested_at = now() - interval '25 hours'`);
    expect(await store.retention.claim()).toMatchObject({
      folder: 'team',
      cursor: null,
      ...NOTHING,
    });
  });

  it('of a new rule waits an hour, unless it is requested', async () => {
    const { id } = await folderWith(RULE);
    expect(await store.retention.claim()).toBeNull();
    expect(await store.retention.waits()).toBe(false);
    expect(await store.retention.latest(id)).toBeNull();
    const [{ minutes }] = (
      await sql.query(
        'SELECT round(extract(epoch FROM lease_until - now()) / 60)::int AS minutes FROM retention_runs',
      )
    ).rows;
    expect(minutes).toBe(60);
    expect(await store.retention.request(id, 'ann')).toMatchObject({ requestedBy: 'ann' });
    expect(await store.retention.claim()).toMatchObject({ requestedBy: 'ann' });
  });

  it('that was requested is claimed at once, and no second one is requested', async () => {
    const { id } = await folderWith(RULE);
    expect(await store.retention.request(id, 'ann')).toMatchObject({ state: 'queued' });
    expect(await store.retention.request(id, 'bob')).toBeNull();
    expect(await store.retention.waits()).toBe(true);
    const run = await store.retention.claim();
    expect(run).toMatchObject({ requestedBy: 'ann' });
    expect(await store.retention.request(id, 'bob')).toBeNull();
    if (run) await store.retention.finish(run, { ...SOME, error: { code: 'X', message: 'x' } });
    expect(await store.retention.latest(id)).toMatchObject({
      state: 'failed',
      error: { code: 'X' },
    });
    expect(await store.retention.request(id, 'bob')).toMatchObject({ state: 'queued' });
    expect(await store.retention.claim()).toMatchObject({ requestedBy: 'bob', ...NOTHING });
  });

  it('whose worker stopped goes on where it was, and the earlier attempt writes no more', async () => {
    await folderWith(RULE);
    const first = await claimed();
    await store.retention.advance(first, { ...SOME, cursor: 'team/b' });
    await sql.query(`UPDATE retention_runs SET lease_until = now() - interval '1 second'`);
    expect(await store.retention.waits()).toBe(true);
    const second = await store.retention.claim();
    expect(second).toMatchObject({ cursor: 'team/b', ...SOME });
    expect(await store.retention.renew(first)).toBe(false);
    expect(await store.retention.advance(first, { ...SOME, cursor: 'team/z' })).toBe(false);
    expect(await store.retention.finish(first, { ...SOME, error: null })).toBe(false);
    if (second) expect(await store.retention.renew(second)).toBe(true);
  });

  it('that was put back waits for the end of the pause, or for a request', async () => {
    const { id } = await folderWith(RULE);
    const run = await claimed();
    await store.retention.release(run, NOTHING, 300);
    expect(await store.retention.claim()).toBeNull();
    expect(await store.retention.request(id, 'ann')).toMatchObject({ state: 'queued' });
    expect(await store.retention.claim()).toMatchObject({ requestedBy: 'ann' });
  });

  it('that was put back has the removals since its last repository, and none of another run', async () => {
    const { id } = await folderWith(RULE);
    const run = await claimed();
    await store.retention.advance(run, { ...NOTHING, tagsKept: 3, cursor: 'team/a' });
    await store.retention.release(run, SOME);
    const { tagsRemoved, tagsFailed } = SOME;
    const counted = { repositories: 0, tagsKept: 3, tagsRemoved, tagsFailed };
    expect(await store.retention.latest(id)).toMatchObject(counted);
    const next = await store.retention.claim();
    expect(next).toMatchObject({ ...counted, cursor: 'team/a' });
    await store.retention.release(run, NOTHING);
    expect(await store.retention.latest(id)).toMatchObject({ ...counted, state: 'running' });
  });

  it('of a rule that replaces another one waits an hour as well', async () => {
    const { id } = await folderWith(RULE);
    const run = await claimed();
    await store.retention.finish(run, { ...SOME, error: null });
    await sql.query(`UPDATE retention_runs SET requested_at = now() - interval '25 hours'`);
    await store.folders.update(id, { retention: { ...RULE, keepNewest: 9 } });
    expect(await store.retention.claim()).toBeNull();
    expect(await store.retention.latest(id)).toMatchObject({ state: 'done', ...SOME });
    expect(await store.retention.waits()).toBe(false);
    await store.folders.update(id, { retention: null });
    expect(await store.retention.claim()).toBeNull();
    await sql.query(`UPDATE retention_runs SET lease_until = now() - interval '1 second'`);
    await store.folders.update(id, { retention: { ...RULE, keepNewest: 9 } });
    expect(await store.retention.claim()).toBeNull();
    await sql.query(`UPDATE retention_runs SET lease_until = now() - interval '1 second'`);
    expect(await store.retention.claim()).toMatchObject({ rule: { keepNewest: 9 }, ...NOTHING });
  });

  it('ends with a change of the rule, and begins anew with the other one', async () => {
    const { id } = await folderWith(RULE);
    const run = await claimed();
    await store.retention.advance(run, { ...SOME, cursor: 'team/b' });
    await store.folders.update(id, { retention: { ...RULE, keepNewest: 9 } });
    expect(await store.retention.renew(run)).toBe(false);
    await store.retention.release(run, SOME);
    const other = await claimed();
    expect(other).toMatchObject({ cursor: null, rule: { keepNewest: 9 }, ...NOTHING });
    await store.folders.update(id, { retention: null });
    expect(await store.retention.renew(other)).toBe(false);
    expect(await store.retention.claim()).toBeNull();
  });

  it('whose rule was changed begins at once where it is requested again', async () => {
    const { id } = await folderWith(RULE);
    await claimed();
    await store.folders.update(id, { retention: { ...RULE, keepNewest: 9 } });
    // As of a worker that was killed.
    await sql.query(`UPDATE retention_runs SET lease_until = now() - interval '1 second'`);
    expect(await store.retention.claim()).toBeNull();
    expect(await store.retention.latest(id)).toBeNull();
    await store.retention.request(id, 'ann');
    const run = await store.retention.claim();
    expect(run).toMatchObject({ requestedBy: 'ann', rule: { keepNewest: 9 }, ...NOTHING });
  });
});
