/** Each process on a database that it must not use: it exits with an error. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDatabase, processEnv, startRedis, temporaryDir } from '@portcullis/testing';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { markRestore } from '../index.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

const CASES = ['api', 'worker', 'notifier'].flatMap((app) => [
  {
    app,
    kind: 'a newer database (O7)',
    prepare: changedByNewerRelease,
    said: 'changed by a newer release (20991231000000_future)',
  },
  {
    app,
    kind: 'a database whose restore was interrupted',
    prepare: (url: string) => markRestore(url, '2026-11-01T00:00:00.000Z'),
    said: 'run `portcullis restore <file>` again',
  },
]);

it.each(CASES)('the $app refuses $kind', async ({ app, prepare, said }) => {
  const [database, redis, dir] = await Promise.all([
    createDatabase(),
    startRedis(),
    temporaryDir(),
  ]);
  onTestFinished(async () => {
    await Promise.all([database.stop(), redis.stop(), dir.remove()]);
  });
  await prepare(database.url);
  const ran = promisify(execFile)(process.execPath, [path.join(ROOT, `apps/${app}/src/main.ts`)], {
    env: {
      ...processEnv,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      REGISTRY_URL: 'http://127.0.0.1:1',
      DATA_DIR: dir.path,
      HOST: '127.0.0.1',
      PORT: '0',
      TRIVY_ENABLED: 'false',
    },
  });
  await expect(ran).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(said),
  });
});

async function changedByNewerRelease(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at)
     VALUES ('future', 'x', '20991231000000_future', now())`,
  );
  await client.end();
}
