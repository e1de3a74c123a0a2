/** A store with two accounts and nothing else, for the tests of a file. */
import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { openStore, type Store, type User } from './index.ts';

export interface TwoAccounts {
  store: Store;
  sql: pg.Client;
  /** Of the database. */
  url: string;
  ada: User;
  /** His name has a capital. */
  bob: User;
}

/** Registers the hooks of the file. The fields are there in its tests and their hooks. */
export function storeOfTwo(): TwoAccounts {
  const given = {} as TwoAccounts;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
    given.url = database.url;
    given.store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
    given.sql = new pg.Client({ connectionString: database.url });
    await given.sql.connect();
  });
  afterAll(async () => {
    await given.store.close();
    await given.sql.end();
    await database.stop();
  });
  beforeEach(async () => {
    await given.sql.query('DELETE FROM users');
    given.ada = await given.store.users.insert({ username: 'ada', passwordHash: null });
    given.bob = await given.store.users.insert({ username: 'Bob', passwordHash: null });
  });
  return given;
}
