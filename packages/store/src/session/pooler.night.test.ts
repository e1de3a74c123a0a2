/** A store through a pooler in transaction mode. */
import { sealer } from '@portcullis/runtime';
import { openSql, startPooler, startPostgres } from '@portcullis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { assertSchema, migrate, openStore } from '../index.ts';

it('works through a pooler in transaction mode, which keeps no lock and no other time zone', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const sql = await openSql(server.url);
  onTestFinished(() => sql.end());
  await sql.query(`ALTER DATABASE portcullis SET timezone = 'Asia/Tokyo'`);
  const pooler = await startPooler(server.url);
  onTestFinished(() => pooler.stop());

  const [once, twice] = await Promise.all([migrate(pooler.url), migrate(pooler.url)]);
  expect(once.length + twice.length).toBeGreaterThan(0);
  await assertSchema(pooler.url);
  const locks = `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE locktype = 'advisory' AND datname = current_database()`;
  expect((await sql.query(locks)).rowCount).toBe(0);
  // Neither the next start nor one without the pooler waits.
  expect(await migrate(pooler.url)).toEqual([]);
  expect(await migrate(server.url)).toEqual([]);

  const store = openStore(pooler.url, sealer(Buffer.alloc(32, 7)));
  onTestFinished(() => store.close());
  const names = Array.from({ length: 30 }, (_, nth) => `user-${nth}`);
  await Promise.all(names.map((username) => store.users.insert({ username, passwordHash: null })));
  await store.ping();
  const { rows } = await sql.query<{ most: number }>(
    'SELECT max(abs(extract(epoch FROM created_at - now())))::float AS most FROM users',
  );
  expect(rows[0]?.most).toBeLessThan(300);
});
