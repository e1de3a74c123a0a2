import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStorageId } from './storage-id.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'storage-'));
});
afterEach(() => rm(dir, { recursive: true }));

it('is created once, whichever process comes first, and leaves no draft', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => openStorageId(dir)));
  expect(new Set(ids).size).toBe(1);
  expect(await readdir(dir)).toEqual(['storage-id']);
  expect((await stat(path.join(dir, 'storage-id'))).mode & 0o777).toBe(0o600);
  expect(await openStorageId(dir)).toBe(ids[0]);
});

it('differs in another directory', async () => {
  const other = await mkdtemp(path.join(tmpdir(), 'storage-'));
  try {
    expect(await openStorageId(other)).not.toBe(await openStorageId(dir));
  } finally {
    await rm(other, { recursive: true });
  }
});

it.each(['', 'x', '../../etc'])('refuses %j, which is not an id', async (text) => {
  await writeFile(path.join(dir, 'storage-id'), text);
  await expect(openStorageId(dir)).rejects.toMatchObject({ code: 'STORAGE_ID_INVALID' });
  expect(await readFile(path.join(dir, 'storage-id'), 'utf8')).toBe(text);
});
