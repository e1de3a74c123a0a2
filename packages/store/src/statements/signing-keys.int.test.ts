import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore, type Store } from '../open-store.ts';

let database: TestDatabase;
let store: Store;
let sql: pg.Client;

beforeEach(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  sql = new pg.Client(database.url);
  await sql.connect();
});
afterEach(async () => {
  await Promise.all([store.close(), sql.end()]);
  await database.stop();
});

const key = (id: string) => ({ id, publicKey: `public ${id}`, privateKey: `private ${id}` });
const ids = async () =>
  (await store.signingKeys.published()).map(({ id, isCurrent }) => `${id}${isCurrent ? '*' : ''}`);
const passed = (days: number) =>
  sql.query(
    `UPDATE signing_keys SET signs_from = signs_from - $1 * interval '1 day',
            published_until = published_until - $1 * interval '1 day'`,
    [days],
  );

it('of many workers that start at once one makes the first key, and it is sealed', async () => {
  expect(await store.signingKeys.current()).toBeNull();
  const made = await Promise.all(
    ['a', 'b', 'c', 'd'].map((id) => store.signingKeys.insertFirst(key(id))),
  );
  expect(made.filter(Boolean)).toHaveLength(1);
  const [first] = await store.signingKeys.published();
  expect(await store.signingKeys.current()).toEqual(key(first?.id ?? ''));
  const { rows } = await sql.query('SELECT sealed_key FROM signing_keys');
  expect(rows).toEqual([{ sealed_key: expect.stringMatching(/^1\./) }]);
  expect(await store.secrets.keyIds()).toEqual({ [rows[0].sealed_key.split('.')[1]]: 1 });
});

it('the next key is published before it signs, and the one before it for a while after', async () => {
  await store.signingKeys.insertFirst(key('a'));
  await store.signingKeys.rotate(key('b'), { days: 7 });
  expect(await ids()).toEqual(['b', 'a*']);
  await expect(store.signingKeys.rotate(key('c'), { days: 7 })).rejects.toMatchObject({
    code: 'SIGNING_KEY_WAITS',
  });
  await passed(8);
  expect(await ids()).toEqual(['b*', 'a']);
  await passed(30);
  expect(await ids()).toEqual(['b*']);
});

it('a leaked key is withdrawn at once, with one that waits', async () => {
  await store.signingKeys.insertFirst(key('a'));
  await store.signingKeys.rotate(key('b'), { days: 7 });
  await store.signingKeys.rotate(key('c'), { days: 0 });
  expect(await ids()).toEqual(['c*']);
});

it('a key of a file signs at once, again where it comes back, and the database has no private part', async () => {
  await store.signingKeys.insertFirst(key('a'));
  const file = { id: 'f', publicKey: 'public f' };
  expect(await store.signingKeys.adopt(file)).toBe('adopted');
  expect(await store.signingKeys.adopt(file)).toBe('current');
  expect(await ids()).toEqual(['f*', 'a']);
  expect(await store.signingKeys.current()).toEqual({ ...file, privateKey: null });
  expect(await store.signingKeys.adopt({ id: 'g', publicKey: 'public g' })).toBe('adopted');
  expect(await store.signingKeys.adopt(file)).toBe('adopted');
  expect(await ids()).toEqual(['f*', 'g', 'a']);
});

it('a key of a file takes the place of one that waits, which does not sign after its days', async () => {
  await store.signingKeys.insertFirst(key('a'));
  await store.signingKeys.rotate(key('b'), { days: 7 });
  expect(await store.signingKeys.adopt({ id: 'f', publicKey: 'public f' })).toBe('adopted');
  await passed(8);
  expect(await ids()).toEqual(['f*', 'a']);
});

it('a key of a file that was withdrawn does not sign again where a worker starts with it', async () => {
  const file = { id: 'f', publicKey: 'public f' };
  await store.signingKeys.adopt(file);
  await store.signingKeys.rotate(key('b'), { days: 0 });
  expect(await store.signingKeys.adopt(file)).toBe('withdrawn');
  expect(await ids()).toEqual(['b*']);
  expect(await store.signingKeys.current()).toEqual(key('b'));
});

it('another secret key reseals it', async () => {
  await store.signingKeys.insertFirst(key('a'));
  const [old, next] = [sealer(Buffer.alloc(32, 1)), sealer(Buffer.alloc(32, 2))];
  const reseal = (sealed: string) => next.seal(old.open(sealed));
  expect(await store.secrets.reseal({ keyId: 'none', reseal })).toMatchObject({ done: 1 });
  const after = openStore(database.url, next);
  expect(await after.signingKeys.current()).toEqual(key('a'));
  await after.close();
  await expect(store.signingKeys.current()).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
});
