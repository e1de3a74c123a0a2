/** The registry on a port that another program has. */
import { startRegistry, temporaryDir, testCacheDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { acquireRegistry } from '../programs/registry.ts';
import { startRegistryServer } from './registry.ts';

it('is not taken for ready where another registry answers in its place', async () => {
  await using other = await startRegistry();
  await using dir = await temporaryDir();
  const env = { PATH: process.env.PATH };
  const binary = await acquireRegistry({ cacheDir: testCacheDir, env, pinnedOnly: true });
  const starting = startRegistryServer({
    ...{ binary, env, dir: dir.path, secret: 'only for tests' },
    listen: { port: Number(new URL(other.url).port) },
  });
  await expect(starting).rejects.toMatchObject({
    code: 'SERVICE_FAILED',
    message: expect.stringContaining('address already in use'),
  });
});
