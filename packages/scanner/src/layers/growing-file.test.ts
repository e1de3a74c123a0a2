import { appendFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { growingFile } from './growing-file.ts';

const MORE = [
  Buffer.alloc(100_000, 'a'),
  Buffer.alloc(0),
  Buffer.alloc(50_000, 'b'),
  Buffer.from('cdd'),
];

it('yields what is there, waits for the rest, and reads what it was told', async () => {
  await using dir = await temporaryDir();
  const path = join(dir.path, 'file');
  await appendFile(path, '');
  await using file = await open(path);
  const read: Uint8Array[] = [];
  const reading = (async () => {
    for await (const piece of growingFile(file, 5, 150_001)) read.push(piece);
  })();
  for (const more of MORE) {
    const before = Buffer.concat(read).length;
    await appendFile(path, more);
    const isMoreRead = () => Buffer.concat(read).length > before || before === 149_996;
    if (more.length > 0) await expect.poll(isMoreRead).toBe(true);
  }
  await reading;
  expect(Buffer.concat(read).equals(Buffer.concat(MORE).subarray(5, 150_001))).toBe(true);
});
