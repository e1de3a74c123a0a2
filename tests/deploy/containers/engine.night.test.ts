/**
 * The programs with which images are built, unpacked from their Debian packages without an
 * installation.
 */
import { acquireBinary } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { DEBOOTSTRAP } from './engine.ts';

it('debootstrap starts from its unpacked package, without an installation (O8)', async () => {
  const { path, env } = await acquireBinary(
    { ...DEBOOTSTRAP, names: [] },
    { cacheDir: testCacheDir, env: testEnv },
  );
  expect(path).toContain(testCacheDir);
  expect(env).toMatchObject({ DEBOOTSTRAP_DIR: expect.stringContaining(testCacheDir) });
});
