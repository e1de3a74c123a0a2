/** Pages of tags in the order of the distribution specification, on a real PostgreSQL. */
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../index.ts';
import type { Store } from '../port.ts';

let database: TestDatabase;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  sql = await openSql(database.url);
});
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});

async function fill(repository: string, tags: readonly string[]): Promise<void> {
  await sql.query(
    `INSERT INTO local_repositories (name, namespace, updated_at, seen_at) VALUES ($1, '', now(), now())`,
    [repository],
  );
  await sql.query(
    `INSERT INTO local_tags (repository, tag, digest, updated_at) SELECT $1, tag, 'm:1', now() FROM unnest($2::text[]) tag`,
    [repository, tags],
  );
}

async function pagesOf(repository: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | undefined; ; after = found.at(-1)) {
    const page = (await store.images.tagPage(repository, { after, limit })) ?? [];
    expect(page.length).toBeLessThanOrEqual(limit);
    found.push(...page);
    if (page.length < limit) return found;
  }
}

const byCharacter = (one: string, other: string) => (one < other ? -1 : Number(one > other));
const inOrder = (one: string, other: string) =>
  byCharacter(one.toLowerCase(), other.toLowerCase()) || byCharacter(one, other);

it('the pages of any tags are all of them in order, whatever their size', async () => {
  const tag = fc.stringMatching(/^[a-cA-C0-1_][a-cA-C0-1_.-]{0,4}$/);
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(tag, { maxLength: 30 }),
      fc.integer({ min: 1, max: 9 }),
      async (tags, limit) => {
        nth += 1;
        await fill(`order-${nth}`, tags);
        expect(await pagesOf(`order-${nth}`, limit)).toEqual(tags.toSorted(inOrder));
      },
    ),
    { numRuns: 60 },
  );
});

it('a repository without tags has an empty page; one that is not in the index has none', async () => {
  await fill('no-tags', []);
  const page = { after: undefined, limit: 10 };
  expect(await store.images.tagPage('no-tags', page)).toEqual([]);
  expect(await store.images.tagPage('unknown', page)).toBeNull();
});

it('a page in the middle of 20,000 tags is read from the index, without the others', async () => {
  await fill(
    'many',
    Array.from({ length: 20_000 }, (_, n) => `v${n}`),
  );
  await sql.query('ANALYZE local_tags');
  expect(await store.images.tagPage('many', { after: 'v5', limit: 3 })).toEqual([
    'v50',
    'v500',
    'v5000',
  ]);
  const { rows } = await sql.query(`EXPLAIN (ANALYZE, FORMAT JSON)
    SELECT tag FROM local_tags t
     WHERE repository = 'many' AND (lower(tag) COLLATE "C", tag COLLATE "C") > ('v5', 'v5')
     ORDER BY lower(tag) COLLATE "C", tag COLLATE "C" LIMIT 3`);
  const plan = JSON.stringify(rows);
  expect(plan).toContain('local_tags_order_idx');
  expect(plan).not.toContain('"Sort"');
});
