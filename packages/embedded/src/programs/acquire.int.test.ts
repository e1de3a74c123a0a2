/**
 * Programs for a machine that has none of them: from Debian's archive and from the Go module proxy.
 */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDir, temporaryDir, testCacheDir, testEnv } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acquireBinary } from './binary.ts';
import { acquireGo } from './go.ts';
import { run } from './run.ts';

let dir: TemporaryDir;
let env: NodeJS.ProcessEnv;

/** The machine's programs except Go. */
beforeAll(async () => {
  dir = await temporaryDir();
  const bin = join(dir.path, 'bin');
  await mkdir(bin);
  for (const name of (await readdir('/usr/bin')).filter((each) => each !== 'go'))
    await symlink(join('/usr/bin', name), join(bin, name));
  env = { ...testEnv, PATH: bin };
});
afterAll(() => dir.remove());

it('O3: Go is downloaded where the machine has none, and runs; all it writes is in our cache', async () => {
  const go = await acquireGo({ cacheDir: testCacheDir, env });
  expect(go.path.startsWith(testCacheDir)).toBe(true);
  const at = { env: { ...env, ...go.env }, cwd: dir.path };
  expect(await run(go.path, ['version'], at)).toMatch(/go1\.26\.\d+ /);
  const goDirectories = await run(go.path, ['env', 'GOPATH', 'GOMODCACHE', 'GOCACHE'], at);
  for (const place of goDirectories.trim().split('\n'))
    expect(place.startsWith(testCacheDir)).toBe(true);
});

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
