import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { findOnPath } from './binary.ts';

it('finds the first program on PATH that may be executed', async () => {
  await using dir = await temporaryDir();
  const [first, second, third] = ['first', 'second', 'third'].map((name) => join(dir.path, name));
  for (const [folder = '', mode = 0] of [
    [first, 0o644],
    [second, 0o755],
    [third, 0o755],
  ] as const) {
    await mkdir(folder);
    await writeFile(join(folder, 'tool'), '');
    await chmod(join(folder, 'tool'), mode);
  }
  const path = ['', first, second, third].join(delimiter);
  expect(await findOnPath('tool', path)).toBe(join(second ?? '', 'tool'));
  expect(await findOnPath('tool', first)).toBeNull();
  expect(await findOnPath('tool', undefined)).toBeNull();
});
