import { randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgresServer } from '@portcullis/embedded';
import { testCacheDir, testEnv } from './config.ts';
import { startInPlace, type TestServer } from './server.ts';

/** A PostgreSQL of one's own, empty; `url` names the database `portcullis`. Most tests want `createDatabase`. */
export function startPostgres(): Promise<TestServer> {
  return startInPlace(async ({ dir, port }) => {
    await chmod(dir.path, 0o711); // as root the server runs under another account, which must get through
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
