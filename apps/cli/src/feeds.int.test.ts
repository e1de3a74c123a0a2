/** `portcullis feeds` on a real database and Redis. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { recent, watchChanges } from '@portcullis/events';
import { openRedis, type Redis, redisReady, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  epssFile,
  kevFile,
  startRedis,
  type TemporaryDir,
  type TestDatabase,
  type TestServer,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callCli } from './call.fixture.ts';
import { runCli } from './cli.fixture.ts';

let database: TestDatabase;
let redis: TestServer;
let connection: Redis;
let dir: TemporaryDir;
let store: Store;
let env: Record<string, string>;

beforeAll(async () => {
  [database, redis, dir] = await Promise.all([createDatabase(), startRedis(), temporaryDir()]);
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  connection = openRedis(redis.url, { mode: 'patient' });
  await redisReady(connection);
  env = { DATABASE_URL: database.url, REDIS_URL: redis.url, DATA_DIR: dir.path };
});
afterAll(async () => {
  connection?.disconnect();
  await store?.close();
  await Promise.all([database?.stop(), redis?.stop(), dir?.remove()]);
});

/** One time, because midnight may pass. */
const NOW = Date.now();
const ago = (days: number) => new Date(NOW - days * 86_400_000).toISOString();

async function file(name: string, bytes: Uint8Array): Promise<string> {
  const target = path.join(dir.path, name);
  await writeFile(target, bytes);
  return target;
}

const scores = (days: number) =>
  epssFile([['CVE-2021-44228', '0.9']], { date: ago(days).slice(0, 10) });
const feeds = (...words: string[]) => callCli(['feeds', ...words], { env });
const events = async () =>
  (await recent(connection, 50)).filter(({ event }) => event === 'feeds.imported');

it('status states that a feed was never read', async () => {
  expect(await runCli(['feeds', 'status'], { env })).toMatchObject({
    code: 0,
    out: 'kev: never read\nepss: never read\n',
  });
});

it('both files are recognised by their content, stored, recorded, and announced', async () => {
  const kinds: string[] = [];
  const watch = watchChanges(connection, (kind) => kinds.push(kind));
  await expect.poll(() => watch.live()).toBe(true);
  kinds.length = 0;
  const ran = await feeds(
    'import',
    await file('a.bin', gzipSync(scores(1))),
    await file('b.bin', kevFile(['CVE-2021-44228', 'CVE-2014-0160'], { released: ago(2) })),
  );
  expect(ran).toMatchObject({
    code: 0,
    out: 'epss v2026.03.14: imported, 1 entries\nkev 2026.11.20: imported, 2 entries\n',
  });
  await expect.poll(() => kinds).toContain('settings');
  watch.close();
  expect((await store.feeds.list()).map(({ kind, source }) => [kind, source])).toEqual([
    ['epss', 'import'],
    ['kev', 'import'],
  ]);
  expect(await events()).toMatchObject([
    { actor: { name: 'cli' }, resource: { name: 'kev' }, detail: { entries: 2, source: 'import' } },
    { resource: { name: 'epss' }, detail: { host_user: expect.stringContaining('@') } },
  ]);
});

it('status shows age and source of both', async () => {
  const { out } = await feeds('status', '--json');
  expect(JSON.parse(out)).toMatchObject({
    feeds: [
      { kind: 'kev', entries: 2, source: 'import', stale: false, error: null },
      { kind: 'epss', entries: 1, version: 'v2026.03.14', stale: false },
    ],
  });
  expect((await feeds('status')).out).toMatch(
    /^kev 2026\.11\.20: 2 entries, 0\.0 days old, from import$/m,
  );
});

it('the same file again is no change and no event', async () => {
  const before = await events();
  const ran = await feeds('import', path.join(dir.path, 'a.bin'));
  expect(ran.out).toBe('epss v2026.03.14: unchanged, 1 entries\n');
  expect(await events()).toHaveLength(before.length);
});

it.each([
  ['an older file', scores(9), 1, 'FEED_OLDER'],
  ['a damaged file', gzipSync(scores(0)).subarray(0, -4), 1, 'FEED_INVALID'],
  ['another file', Buffer.from('<html>'), 1, 'FEED_INVALID'],
])('%s is refused, and the kept one stays', async (_, bytes, code, words) => {
  const before = await store.feeds.list();
  const ran = await feeds('import', await file('other.bin', bytes));
  expect(ran).toMatchObject({ code, out: '', err: expect.stringContaining(words) });
  expect(await store.feeds.list()).toEqual(before);
});

it('nothing is changed where the second file is damaged', async () => {
  const before = await store.feeds.list();
  const damaged = await file('damaged.bin', Buffer.from('{'));
  const ran = await feeds('import', await file('newer.bin', scores(0)), damaged);
  expect(ran.code).toBe(1);
  expect(await store.feeds.list()).toEqual(before);
});

it.each([
  ['an unknown action', ['remove']],
  ['an import without a file', ['import']],
  ['a status with a file', ['status', 'x']],
])('%s is wrong usage', async (_, words) => {
  expect(await feeds(...words)).toMatchObject({
    code: 2,
    err: expect.stringContaining('usage: portcullis feeds'),
  });
});
