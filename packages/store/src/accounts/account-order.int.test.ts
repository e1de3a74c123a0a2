/** The orders of the list of accounts and their pages, on a real PostgreSQL. */
import { ACCOUNT_ORDERS, type AccountOrder } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, everyItem, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore, type Store, type User } from '../index.ts';

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  const sql = await openSql(database.url);
  // A third never logged in, and five each did at the same time.
  await sql.query(`
    INSERT INTO users (id, username, username_key, auth_source, last_login_at)
    SELECT gen_random_uuid(), name, name, CASE WHEN n % 4 = 0 THEN 'oidc' ELSE 'local' END,
           CASE WHEN n % 3 > 0 THEN '2026-01-01'::timestamptz + n / 5 * interval '1 ms' END
      FROM generate_series(1, 40) n, LATERAL (SELECT 'u' || lpad((n * 7 % 41)::text, 2, '0') AS name) named`);
  await sql.end();
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

const pages = (order: AccountOrder, limit: number): Promise<User[]> =>
  everyItem(async (cursor) => {
    const page = await store.users.list({ order, limit, cursor });
    expect(page.total).toBe(40);
    return page;
  });

const KEYS: Record<string, (user: User) => string> = {
  username: ({ username }) => username,
  auth_source: ({ authSource }) => authSource,
  last_login_at: ({ lastLoginAt }) => lastLoginAt?.toISOString() ?? '',
};

function sorted(users: readonly User[], order: AccountOrder): User[] {
  const isDescending = order.startsWith('-');
  const key = KEYS[order.replace('-', '')] ?? (() => '');
  const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
  return users.toSorted(
    (one, other) =>
      compare(key(one), key(other)) * (isDescending ? -1 : 1) ||
      compare(one.username, other.username),
  );
}

it.each(ACCOUNT_ORDERS)('the pages by %s are all accounts in order', async (order) => {
  const all = await pages('username', 200);
  for (const limit of [1, 7, 40])
    expect((await pages(order, limit)).map(({ username }) => username)).toEqual(
      sorted(all, order).map(({ username }) => username),
    );
});

it('a cursor of one order is none of another', async () => {
  const { nextCursor } = await store.users.list({ order: '-last_login_at', limit: 3 });
  for (const order of ['last_login_at', 'username', '-auth_source'] as const)
    await expect(store.users.list({ order, cursor: nextCursor })).rejects.toMatchObject({
      code: 'CURSOR_INVALID',
    });
});

it.each([
  ['last_login_at', 'never'],
  ['auth_source', null],
] as const)('a cursor by %s with the value %j is refused', async (order, value) => {
  const cursor = Buffer.from(JSON.stringify([order, value, 'u01'])).toString('base64url');
  await expect(store.users.list({ order, cursor })).rejects.toMatchObject({
    code: 'CURSOR_INVALID',
  });
});

it('an account that logs in meanwhile moves no other one', async () => {
  const first = await store.users.list({ order: '-last_login_at', limit: 20 });
  const late = (await pages('-last_login_at', 200)).at(-1);
  await store.users.loggedIn(late?.id ?? '', new Date());
  const second = await store.users.list({
    order: '-last_login_at',
    limit: 20,
    cursor: first.nextCursor,
  });
  const names = [...first.items, ...second.items].map(({ username }) => username);
  expect(new Set(names).size).toBe(39);
  expect(names).not.toContain(late?.username);
});
