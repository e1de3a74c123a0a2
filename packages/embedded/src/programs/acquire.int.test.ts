/**
 * Programs for a machine that has none of them: from Debian's archive and from the Go module proxy.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dir, env, startAcquired } from './acquire.fixture.ts';
import { acquireBinary } from './binary.ts';

startAcquired();

it('O13: without a network, apt’s own reason is reported instead of an unknown package', async () => {
  const away = join(dir.path, 'apt.conf');
  const proxies = ['http', 'https'].map(
    (scheme) => `Acquire::${scheme}::Proxy "http://127.0.0.1:9";\n`,
  );
  await writeFile(away, proxies.join(''));
  const lines: string[] = [];
  const hello = { names: ['hello'], package: 'hello', file: 'usr/bin/hello', probe: ['--version'] };
  const acquiring = acquireBinary(hello, {
    cacheDir: join(dir.path, 'cache'),
    env: { ...env, APT_CONFIG: away },
    log: (text) => lines.push(text),
  });
  await expect(acquiring).rejects.toThrow(/Failed to fetch .*127\.0\.0\.1:9/);
  expect(lines[0]).toBe('fetching hello with apt, once');
});
