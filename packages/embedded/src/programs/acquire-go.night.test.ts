/** Go is downloaded where the machine has none. */
import { testCacheDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { dir, env, startAcquired } from './acquire.fixture.ts';
import { acquireGo } from './go.ts';
import { run } from './run.ts';

startAcquired();

it('O3: Go is downloaded where the machine has none, and runs; all it writes is in our cache', async () => {
  const go = await acquireGo({ cacheDir: testCacheDir, env });
  expect(go.path.startsWith(testCacheDir)).toBe(true);
  const at = { env: { ...env, ...go.env }, cwd: dir.path };
  expect(await run(go.path, ['version'], at)).toMatch(/go1\.26\.\d+ /);
  const goDirectories = await run(go.path, ['env', 'GOPATH', 'GOMODCACHE', 'GOCACHE'], at);
  for (const place of goDirectories.trim().split('\n'))
    expect(place.startsWith(testCacheDir)).toBe(true);
});
