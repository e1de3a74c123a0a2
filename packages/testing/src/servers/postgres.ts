import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startPostgresServer } from '@portcullis/embedded';
import { testCacheDir, testEnv, wantsContainers } from '../config.ts';
import { type Delivery, startInSlot, type TestServer } from './server.ts';

/**
 * A separate, empty PostgreSQL; `url` names the database `portcullis`. Most tests use
 * `createDatabase`.
 */
export async function startPostgres({ asDelivered = false }: Delivery = {}): Promise<TestServer> {
  if (wantsContainers && !asDelivered) return (await import('./containers.ts')).postgresContainer();
  return startInSlot(async ({ dir, port }) => {
    const password = randomBytes(12).toString('hex');
    return startPostgresServer({
      dir: join(dir.path, 'postgres'),
      cacheDir: testCacheDir,
      listen: asDelivered ? { sockets: dir.path } : { port },
      password,
      env: testEnv,
      durable: asDelivered,
    });
  });
}
