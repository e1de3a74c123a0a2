import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { run } from '../process/run.ts';
import { endWait, holdIndex, releaseIndex, removeIndex, writeIndex } from './held-index.ts';
import { INDEX } from './scan-dir.ts';

async function scanDir() {
  const dir = await temporaryDir();
  await mkdir(join(dir.path, 'image'));
  return dir;
}

/** What a program reads that opens the index then, and once more. */
function readLater(dir: string, seconds: string): Promise<string> {
  const script = `sleep ${seconds}; cat ${INDEX}; cat ${INDEX}`;
  const { stdout } = spawn('/bin/sh', ['-c', script], { cwd: dir });
  return text(stdout);
}

it.each(['0', '0.2'])(
  'a program that opens the index after %s s reads it, and then a file',
  async (seconds) => {
    await using dir = await scanDir();
    const held = await holdIndex(dir.path, run);
    const output = readLater(dir.path, seconds);
    await writeIndex(dir.path, '{"a":1}');
    await endWait(held, '{"a":1}');
    expect(await output).toBe('{"a":1}{"a":1}');
    expect(await readFile(join(dir.path, INDEX), 'utf8')).toBe('{"a":1}');
  },
);

it('a pipe whose holder is gone ends its reader once it is released, and not before', async () => {
  await using dir = await scanDir();
  const held = await holdIndex(dir.path, run);
  const output = readLater(dir.path, '0');
  await releaseIndex(dir.path);
  await writeIndex(dir.path, '{}');
  await endWait(held, '{}');
  expect(await output).toBe('{}{}');
  await removeIndex(dir.path);
  await (await holdIndex(dir.path, run))?.close();
  const waiting = readLater(dir.path, '0').then((all) => [all]);
  const looks = async () => {
    await releaseIndex(dir.path);
    return Promise.race([waiting, null]);
  };
  await expect.poll(looks).toEqual(['']);
});

it('an index is a file at once where there can be no pipe', async () => {
  await using dir = await scanDir();
  await rm(join(dir.path, 'image'), { recursive: true });
  expect(await holdIndex(dir.path, run)).toBeNull();
  await mkdir(join(dir.path, 'image'));
  await writeIndex(dir.path, '{}');
  await endWait(null, '{}');
  expect(await readFile(join(dir.path, INDEX), 'utf8')).toBe('{}');
});

it('there is no pipe where the index is written before', async () => {
  await using dir = await scanDir();
  await writeIndex(dir.path, '{}');
  expect(await holdIndex(dir.path, run)).toBeNull();
});
