import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore, type Store } from '../index.ts';

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

async function job(): Promise<string> {
  const owner = await store.users.insert({
    username: randomBytes(4).toString('hex'),
    passwordHash: null,
  });
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  return (await store.jobs.insert({ ownerId: owner.id, image: 'a', tag: '1', source })).id;
}

const file = (name: string, bytes: Buffer) => ({ name, content: Readable.from([bytes]) });
const read = (id: string, name: string) => buffer(store.jobReports.read(id, name));

it.each([
  ['an empty one', 0],
  ['a small one', 10],
  ['one of exactly a part', 256 * 1024],
  ['one of several parts', 700_001],
])('a file is returned as stored: %s', async (_, size) => {
  const id = await job();
  const bytes = randomBytes(size);
  await store.jobReports.replace(id, [file('a', bytes), file('b', Buffer.from('b'))]);
  expect((await read(id, 'a')).equals(bytes)).toBe(true);
  expect(await store.jobReports.names(id)).toEqual(new Set(['a', 'b']));
});

it('a new scan replaces all files, and a single one is added to the others', async () => {
  const id = await job();
  await store.jobReports.replace(id, [
    file('a', randomBytes(700_000)),
    file('as-sarif', Buffer.from('x')),
  ]);
  await store.jobReports.replace(id, [file('a', Buffer.from('new'))]);
  await store.jobReports.add(id, file('as-spdx', Buffer.from('y')));
  await Promise.all(
    [1, 2, 3].map(() => store.jobReports.add(id, file('as-spdx', Buffer.from('z')))),
  );
  expect(await store.jobReports.names(id)).toEqual(new Set(['a', 'as-spdx']));
  expect((await read(id, 'a')).toString()).toBe('new');
  expect((await read(id, 'as-spdx')).toString()).toBe('z');
});

it('is removed with its job, and none is stored for a removed job', async () => {
  const [id, other] = [await job(), await job()];
  await store.jobReports.replace(id, [file('a', Buffer.from('a'))]);
  expect(await store.jobReports.existing([id, other])).toEqual(new Set([id]));
  expect(await store.jobReports.namesOfAll([id, other])).toEqual(new Map([[id, new Set(['a'])]]));
  await store.jobs.remove(id);
  await store.jobReports.replace(id, [file('a', Buffer.from('a'))]);
  expect(await store.jobReports.existing([id])).toEqual(new Set());
  expect(await read(id, 'a')).toHaveLength(0);
});
