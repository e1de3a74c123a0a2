import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { openLogFile } from './log-file.ts';

it('a log that exceeds its size is rotated, and one earlier file is kept', async () => {
  await using dir = await temporaryDir();
  const path = join(dir.path, 'logs', 'api.log');
  const log = openLogFile(path, 8);
  for (const line of ['one', 'two', 'three', 'four']) log.line(line);
  log.close();
  expect(await readFile(`${path}.1`, 'utf8')).toBe('one\ntwo\nthree\n');
  expect(await readFile(path, 'utf8')).toBe('four\n');
});
