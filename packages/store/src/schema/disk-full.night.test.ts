import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql } from '@portcullis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../index.ts';

it('F12: a full disk of PostgreSQL is reported as such', async () => {
  const database = await createDatabase();
  onTestFinished(() => database.stop());
  const store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  onTestFinished(() => store.close());
  const sql = await openSql(database.url);
  onTestFinished(() => sql.end());
  await sql.query(`
    CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`);
  await sql.query(
    'CREATE TRIGGER no_space BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION no_space()',
  );
  await expect(store.users.insert({ username: 'ada', passwordHash: null })).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'DISK_FULL',
  });
});
