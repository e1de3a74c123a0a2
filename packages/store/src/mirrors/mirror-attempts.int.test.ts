/** Pulls that the upstream of a mirror did not answer: a stranger may ask for a million names. */
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openStore, type Store } from '../index.ts';

let database: TestDatabase;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;
let folderId: string;
const accounts: string[] = [];

const TERMS = { prefix: '', allow: ['*'], platforms: [], checkMinutes: 60, keepDays: 90 };
const SILENT = { code: 'UPSTREAM_SILENT', message: 'no answer in time', gone: false };
const GONE = { code: 'MANIFEST_UNKNOWN', message: 'manifest unknown', gone: true };
const repository = 'hub/app';

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  sql = await openSql(database.url);
  const mirror = { registryId: null, ...TERMS };
  folderId = (await store.folders.insertFolder({ name: 'hub', mirror })).id;
  for (let nth = 1; nth <= 12; nth += 1)
    accounts.push((await store.users.insert({ username: `user${nth}`, passwordHash: null })).id);
});
beforeEach(() => sql.query('DELETE FROM mirror_attempts'));
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});

const account = (nth: number) => accounts[nth] ?? '';
const note = (reference: string, nth = 0, fault = SILENT) =>
  store.mirrorAttempts.note({
    ...{ folderId, repository, reference, accountId: account(nth), fault },
  });
const newest = async (accountId: string | null = null) =>
  (await store.mirrorAttempts.newest(folderId, { accountId, limit: 200 })).map(
    ({ reference }) => reference,
  );

it('of each account the newest ten are kept, whatever another one asks for', async () => {
  await note('honest', 1);
  for (let nth = 1; nth <= 15; nth += 1) await note(`guess${nth}`);
  expect(await newest()).toHaveLength(11);
  expect(await newest(account(0))).toEqual(
    Array.from({ length: 10 }, (_, nth) => `guess${15 - nth}`),
  );
  expect(await newest(account(1))).toEqual(['honest']);
});

it('of a mirror the newest hundred are kept', async () => {
  for (let nth = 0; nth < accounts.length; nth += 1)
    for (let tag = 0; tag < 10; tag += 1) await note(`${nth}-${tag}`, nth);
  expect(await newest()).toHaveLength(100);
});

it('the same fault keeps its beginning, and another one begins anew', async () => {
  await note('1');
  await sql.query(`UPDATE mirror_attempts SET since = now() - interval '1 hour', at = since`);
  const before = await store.mirrorAttempts.last({ repository, reference: '1' });
  await note('1');
  const again = await store.mirrorAttempts.last({ repository, reference: '1' });
  expect(again).toMatchObject({ fault: SILENT, since: before?.since });
  expect(Number(again?.at)).toBeGreaterThan(Number(before?.at));
  await note('1', 0, GONE);
  const other = await store.mirrorAttempts.last({ repository, reference: '1' });
  expect(other).toMatchObject({ fault: GONE });
  expect(Number(other?.since)).toBeGreaterThan(Number(before?.since));
});

it('an answer, a week and the end of the mirror remove them', async () => {
  for (const reference of ['1', '2', '3']) await note(reference);
  const digest = `sha256:${'a'.repeat(64)}`;
  const answer = { answer: { digest }, isTag: true, dueSeconds: 60 };
  await store.mirrors.answered({ repository, reference: '1' }, answer);
  expect(await store.mirrorAttempts.last({ repository, reference: '1' })).toBeNull();
  await sql.query(
    `UPDATE mirror_attempts SET at = now() - interval '8 days' WHERE reference = '2'`,
  );
  expect(await newest()).toEqual(['3']);
  expect(await store.mirrorAttempts.last({ repository, reference: '2' })).toBeNull();
  await store.folders.update(folderId, { mirror: null });
  expect((await sql.query('SELECT FROM mirror_attempts')).rowCount).toBe(0);
});
