import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DumpedTable, openStore, restoreDump, withDump } from '../index.ts';

let source: TestDatabase;
let target: TestDatabase;

beforeAll(async () => {
  [source, target] = await Promise.all([createDatabase(), createDatabase()]);
});
afterAll(async () => {
  await Promise.all([source?.stop(), target?.stop()]);
});

async function* asTables(tables: [string, string[]][]): AsyncGenerator<DumpedTable> {
  for (const [name, all] of tables) {
    const lines = (async function* () {
      yield* all;
    })();
    yield { name, lines };
  }
}

it('O16: restored jobs belong to no storage, and no storage of the backup is known', async () => {
  const from = openStore(source.url, sealer(Buffer.alloc(32, 1)));
  const owner = await from.users.insert({ username: 'kim', passwordHash: null });
  const registry = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const order = { ownerId: owner.id, image: 'a', tag: '1', source: registry };
  const { id } = await from.jobs.insert(order);
  const storage = randomUUID();
  await from.storages.beat(storage);
  const sql = await openSql(source.url);
  await sql.query('UPDATE staging_jobs SET storage_id = $1', [storage]);
  await sql.end();
  expect(await from.jobs.get(id)).toMatchObject({ storageId: storage });
  await from.close();

  await withDump(source.url, async ({ migrations, tables }) => {
    const read: [string, string[]][] = [];
    for (const { name, lines } of tables) read.push([name, await Readable.from(lines).toArray()]);
    await restoreDump(target.url, migrations, asTables(read));
  });

  const restored = openStore(target.url, sealer(Buffer.alloc(32, 1)));
  expect(await restored.jobs.get(id)).toMatchObject({ image: 'a', storageId: null });
  expect(await restored.storages.list()).toEqual([]);
  await restored.close();
});
