import { chown } from 'node:fs/promises';
import path from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { storageUse } from './storage-use.ts';

it.each<[string, (dir: string) => Promise<string | undefined>, string]>([
  ['a directory of the process is used whole', async (dir) => dir, 'all'],
  ['without REGISTRY_STORAGE', async () => undefined, 'none'],
  ['before the first push', async (dir) => path.join(dir, 'none'), 'absent'],
  ['a directory of another account', ofAnother, 'other-user'],
  ["a file system of the kernel's, as a network's", async () => `/proc/${process.pid}`, 'network'],
])('%s', async (_, dirOf, use) => {
  await using dir = await temporaryDir();
  expect(await storageUse(await dirOf(dir.path))).toBe(use);
});

/** Only root gives files away. */
async function ofAnother(dir: string): Promise<string> {
  if (process.getuid?.() !== 0) return '/';
  await chown(dir, 12_345, 12_345);
  return dir;
}
