import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fillOnce } from './cache.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'portcullis-test-cache-'));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

it('a directory of the cache is filled once, and completely', async () => {
  const target = join(dir, 'thing');
  let fills = 0;
  const fill = async (draft: string) => {
    fills += 1;
    await writeFile(join(draft, 'content'), 'x');
  };
  await Promise.all([1, 2, 3].map(() => fillOnce(target, fill)));
  expect([fills, await readFile(join(target, 'content'), 'utf8')]).toEqual([1, 'x']);
});

it('a failed fill leaves nothing and can be tried again', async () => {
  const target = join(dir, 'thing');
  const broken = async (draft: string) => {
    await writeFile(join(draft, 'half'), '');
    throw new Error('no network');
  };
  await expect(fillOnce(target, broken)).rejects.toThrow('no network');
  expect(await readdir(dir)).toEqual([]);
  await fillOnce(target, async () => {});
  expect(await readdir(dir)).toEqual(['thing']);
});
