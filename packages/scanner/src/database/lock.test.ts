import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { lock, tryLock } from './lock.ts';

it('one holder at a time', async () => {
  await using dir = await temporaryDir();
  const file = join(dir.path, 'lock');
  const mine = await tryLock(file);
  expect(await tryLock(file)).toBeNull();
  await mine?.release();
  const next = await tryLock(file);
  expect(next).not.toBeNull();
  await next?.release();
});

it.each(Array.from({ length: 10 }, (_, index) => index))(
  'what a dead process left is taken over, by one of many, and nothing else is left (%i)',
  async () => {
    await using dir = await temporaryDir();
    const file = join(dir.path, 'lock');
    await writeFile(file, 'somebody');
    await utimes(file, new Date(0), new Date(0));
    const attempts = await Promise.all(Array.from({ length: 20 }, () => tryLock(file)));
    const got = attempts.filter((each) => each !== null);
    expect(got.length).toBeLessThanOrEqual(1);
    expect(await readdir(dir.path)).toEqual(got.length === 1 ? ['lock'] : []);
    await got[0]?.release();
    const next = await tryLock(file);
    expect(next).not.toBeNull();
    await next?.release();
  },
);

it('waiting ends when aborted', async () => {
  await using dir = await temporaryDir();
  const file = join(dir.path, 'lock');
  await using _mine = await lock(file);
  await expect(lock(file, AbortSignal.timeout(50))).rejects.toThrow();
});
