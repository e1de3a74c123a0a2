import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startPostgresServer } from '@portcullis/embedded';
import { testCacheDir, testEnv } from './config.ts';
import { startInPlace, type TestServer } from './server.ts';

/** A PostgreSQL of one's own, empty; `url` names the database `portcullis`. Most tests want `createDatabase`. */
export function startPostgres(): Promise<TestServer> {
  return startInPlace(async ({ dir, port }) => {
    const password = randomBytes(12).toString('hex');
    return startPostgresServer({
      dir: join(dir.path, 'postgres'),
      cacheDir: testCacheDir,
      port,
      password,
      env: testEnv,
      durable: false,
    });
  });
}
