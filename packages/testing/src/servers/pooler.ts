/** Runs pgbouncer in transaction mode before a database of a test. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireBinary, type Program, startService, untilReady } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';
import { listens, startInSlot, type TestServer } from './server.ts';

const PGBOUNCER: Program = {
  names: ['pgbouncer'],
  package: 'pgbouncer',
  file: 'usr/sbin/pgbouncer',
  probe: ['--version'],
};

/** pgbouncer in transaction mode, with its defaults, before the database of a URL. */
export async function startPooler(databaseUrl: string): Promise<TestServer> {
  const binary = await acquireBinary(PGBOUNCER, { cacheDir: testCacheDir, env: testEnv });
  return startInSlot(async ({ dir, port }) => {
    const { hostname, port: to, username, password, pathname } = new URL(databaseUrl);
    const target = `host=${hostname} port=${to} user=${username} password=${decodeURIComponent(password)}`;
    const settings = [
      '[databases]',
      `${pathname.slice(1)} = ${target}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 4',
    ];
    const file = join(dir.path, 'pgbouncer.ini');
    await writeFile(file, `${settings.join('\n')}\n`);
    // Its account has to read the file.
    await chmod(dir.path, 0o755);
    const service = await startService({
      name: 'pgbouncer',
      command: binary.path,
      // It refuses to run as root.
      args: [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file],
      env: { ...testEnv, ...binary.env },
      stopSignal: 'SIGINT',
      graceMs: 5_000,
    });
    await untilReady(service, () => listens(port)).catch(async (error) => {
      await service.stop();
      throw error;
    });
    return { service, url: `postgresql://any@127.0.0.1:${port}${pathname}` };
  });
}
