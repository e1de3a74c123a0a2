import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { NOT_HELD, runScan } from './cli.ts';
import { feedIndex } from './held-index.ts';
import { INDEX, openScanDir } from './scan-dir.ts';

const never = new AbortController().signal;

/** Reads the index when it is told to, once, and again from the same path. */
async function reader(dir: string, delay: string) {
  const script = `mkfifo ${INDEX}; sleep ${delay}; cat ${INDEX} ${INDEX}`;
  const child = spawn('/bin/sh', ['-c', script], { cwd: dir });
  const ended = new AbortController();
  child.once('close', () => ended.abort());
  return { output: text(child.stdout), ended: ended.signal, kill: () => child.kill('SIGKILL') };
}

async function scanDir() {
  const dir = await temporaryDir();
  await mkdir(join(dir.path, 'image'));
  return dir;
}

it.each(['0', '0.2'])(
  'a reader that comes after %s s gets the index, and then a file',
  async (delay) => {
    await using dir = await scanDir();
    const { output, ended } = await reader(dir.path, delay);
    await feedIndex(dir.path, '{"a":1}', ended);
    expect(await output).toBe('{"a":1}{"a":1}');
    expect(await readFile(join(dir.path, INDEX), 'utf8')).toBe('{"a":1}');
  },
);

it('an index without a reader becomes a file once the reader has ended', async () => {
  await using dir = await scanDir();
  const { ended, kill } = await reader(dir.path, '60');
  const fed = feedIndex(dir.path, '{}', ended);
  kill();
  await fed;
  expect(await readFile(join(dir.path, INDEX), 'utf8')).toBe('{}');
});

it.each([
  ['something else is there', (path: string) => writeFile(join(path, INDEX), 'something else')],
  ['no shell starts', (path: string) => rm(path, { recursive: true })],
])('a scan says that there can be no pipe, where %s', async (_, change) => {
  await using parent = await temporaryDir();
  await using dir = await openScanDir(parent.path);
  await change(dir.path);
  const invocation = { trivyPath: '/bin/false', databaseDir: parent.path, dir, signal: never };
  const mode = { cacheBackend: 'memory', javaIndex: 'real', parallel: 1 } as const;
  const image = { digest: 'sha256:0', output: 'report', timeoutSeconds: 60, isHeld: true };
  expect(await runScan(invocation, mode, image)).toMatchObject({ code: NOT_HELD });
});
