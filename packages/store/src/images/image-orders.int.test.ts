/** The orders of repositories and tags and their pages, on a real PostgreSQL. */
import { REPOSITORY_ORDERS, TAG_ORDERS, type TagOrder } from '@portcullis/domain';
import { TAG_STANDINGS } from '@portcullis/domain/tag-standing';
import { sealer } from '@portcullis/runtime';
import { createDatabase, everyItem, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedTag, openStore, type Store } from '../index.ts';

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  const sql = await openSql(database.url);
  // Each size, number and time is that of several; one manifest in four is not described yet.
  await sql.query(`
    INSERT INTO local_repositories (name, namespace, tag_count, size, updated_at, seen_at)
    SELECT 'r' || lpad((n * 7 % 31)::text, 2, '0'), '', 1 + n % 4, 3000000000 + n % 5, '2026-01-01'::timestamptz + n / 6 * interval '1 ms', now()
      FROM generate_series(1, 30) n;
    INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at)
    SELECT 'r01', 'm:' || n, 'application/json', 1, 3000000000 + n % 3, '{}', now() FROM generate_series(1, 30) n WHERE n % 4 > 0;
    INSERT INTO local_tags (repository, tag, digest, updated_at)
    SELECT 'r01', CASE WHEN n % 2 = 0 THEN 'v' ELSE 'V' END || (n * 7 % 31), 'm:' || n, '2026-01-01'::timestamptz + n / 6 * interval '1 ms'
      FROM generate_series(1, 30) n;
    UPDATE local_manifests SET artifact_type = 'application/chart' WHERE digest IN ('m:1', 'm:2');
    INSERT INTO image_standings (repository, digest, folder, passes, verdict, waived, policy, mark, since, judged_at)
    SELECT 'r01', 'm:' || n, '__root__', passes, verdict, waived, 'p', 'm', now(), now()
      FROM (VALUES (2, FALSE, NULL, FALSE), (3, FALSE, 'blocked', FALSE), (4, FALSE, 'clean', FALSE), (5, TRUE, 'clean', TRUE),
                   (6, TRUE, 'findings', FALSE), (7, TRUE, 'findings', FALSE), (8, TRUE, 'unscannable', FALSE),
                   (9, TRUE, 'clean', FALSE), (10, NULL, NULL, FALSE), (11, TRUE, NULL, FALSE)) s (n, passes, verdict, waived)`);
  await sql.end();
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

/** As the table of standings above has them; a blocked artifact is blocked. */
function groupOf(digest: string): (typeof TAG_STANDINGS)[number] {
  const named = { 1: 'artifact', 2: 'blocked', 3: 'blocked', 4: 'blocked', 5: 'waived' } as const;
  const passing = { 6: 'findings', 7: 'findings', 8: 'unscannable', 9: 'clean' } as const;
  const groups: Record<string, (typeof TAG_STANDINGS)[number]> = { ...named, ...passing };
  return groups[digest.slice(2)] ?? 'unscanned';
}

const byCharacter = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** By a key in the direction of the order, and then by name. */
function inOrder<T>(
  rows: readonly T[],
  order: string,
  key: (row: T) => string | number,
  name: (row: T) => string,
): T[] {
  const factor = order.startsWith('-') ? -1 : 1;
  const compare = (one: T, other: T) =>
    key(one) < key(other) ? -1 : Number(key(one) > key(other));
  return rows.toSorted(
    (one, other) => compare(one, other) * factor || byCharacter(name(one), name(other)),
  );
}

describe('repositories', () => {
  const pages = async (order: (typeof REPOSITORY_ORDERS)[number], pageSize: number) => {
    const asked = Array.from({ length: Math.ceil(30 / pageSize) }, (_, n) =>
      store.images.list({ folders: 'all', order, page: n + 1, pageSize }),
    );
    return (await Promise.all(asked)).flatMap(({ items }) => items);
  };

  it.each(REPOSITORY_ORDERS)('the pages by %s are all of them in order', async (order) => {
    const keys: Record<string, (row: (typeof all)[number]) => string | number> = {
      name: ({ name }) => name,
      tag_count: ({ tagCount }) => tagCount,
      size: ({ size }) => size,
      updated_at: ({ updatedAt }) => updatedAt.getTime(),
    };
    const all = await pages('name', 100);
    expect(all).toHaveLength(30);
    const key = keys[order.replace('-', '')] ?? (() => '');
    const expected = inOrder(all, order, key, ({ name }) => name).map(({ name }) => name);
    for (const size of [4, 30])
      expect((await pages(order, size)).map(({ name }) => name)).toEqual(expected);
  });
});

describe('tags', () => {
  const pages = (order: TagOrder, limit: number): Promise<IndexedTag[]> =>
    everyItem(async (cursor) => {
      const page = await store.images.tags('r01', { order, limit, cursor: cursor ?? undefined });
      expect(page.total).toBe(30);
      return page;
    });

  const KEYS: Record<string, (tag: IndexedTag) => string | number> = {
    tag: ({ tag }) => tag.toLowerCase(),
    size: ({ size }) => size,
    updated_at: ({ updatedAt }) => updatedAt.getTime(),
    standing: ({ digest }) => TAG_STANDINGS.indexOf(groupOf(digest)),
  };

  it.each(TAG_ORDERS)('the pages by %s are all of them in order', async (order) => {
    const whole = await pages(order, 200);
    expect(whole).toHaveLength(30);
    const key = KEYS[order.replace('-', '')] ?? (() => '');
    const expected = inOrder(whole, order, key, () => '').map(key);
    expect(whole.map(key)).toEqual(expected);
    for (const limit of [1, 7, 30]) expect(await pages(order, limit)).toEqual(whole);
  });

  it.each(TAG_STANDINGS)('those that stand as %s are a separate list', async (standing) => {
    const expected = (await pages('tag', 200)).filter(({ digest }) => groupOf(digest) === standing);
    const { items, total, nextCursor } = await store.images.tags('r01', {
      ...{ standing, order: 'tag', limit: 1 },
    });
    expect(total).toBe(expected.length);
    const cursor = nextCursor ?? undefined;
    const rest = await store.images.tags('r01', { standing, order: 'tag', cursor });
    expect([...items, ...(cursor ? rest.items : [])]).toEqual(expected);
    expect(expected).not.toEqual([]);
  });

  it.each(['standing', '-standing'] as const)(
    'a place that %s does not have is refused',
    async (order) => {
      const cursor = Buffer.from(JSON.stringify([order, '8', 'v1'])).toString('base64url');
      await expect(store.images.tags('r01', { order, cursor })).rejects.toMatchObject({
        code: 'CURSOR_INVALID',
      });
    },
  );

  it('a cursor of one order is none of another', async () => {
    const { nextCursor } = await store.images.tags('r01', { order: '-size', limit: 3 });
    for (const order of ['size', 'tag', '-updated_at'] as const)
      await expect(
        store.images.tags('r01', { order, cursor: nextCursor ?? '' }),
      ).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it.each([null, '-1', '1e3', '9'.repeat(16)])(
    'a cursor by size with the value %j is refused',
    async (value) => {
      const cursor = Buffer.from(JSON.stringify(['size', value, 'v1'])).toString('base64url');
      await expect(store.images.tags('r01', { order: 'size', cursor })).rejects.toMatchObject({
        code: 'CURSOR_INVALID',
      });
    },
  );
});
