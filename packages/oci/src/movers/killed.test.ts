import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { slowness, temporaryDir } from '@portcullis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { blobDescriptor, type Handler, startServer } from '../remote/http/server.contract.ts';

const MIB = 1024 * 1024;
const PROGRAM = join(import.meta.dirname, 'pulling-process.contract.ts');
const SIZE = 4 * MIB;
const CHUNK = 128 * 1024;

it('a process that is killed while its threads move blobs leaves only whole ones, and resumes the others', async () => {
  const blobs = new Map(
    [1, 2, 3, 4].map(() => {
      const bytes = randomBytes(SIZE);
      return [blobDescriptor(bytes).digest as string, bytes];
    }),
  );
  const server = await startServer(dripping(blobs));
  const dir = await temporaryDir();
  onTestFinished(() => dir.remove());
  const start = () => started([server.host, dir.path, String(SIZE), ...blobs.keys()]);
  for (const part of [0.2, 0.5, 0.8]) {
    const child = start();
    await expect
      .poll(() => storedIn(dir.path), { interval: 2 })
      .toBeGreaterThan(part * SIZE * blobs.size);
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const name of await readdir(join(dir.path, 'sha256')))
      expect(await digestIn(dir.path, name)).toBe(name);
  }
  const last = start();
  expect(await once(last, 'exit')).toEqual([0, null]);
  const names = await readdir(join(dir.path, 'sha256'));
  expect(names.map((name) => `sha256:${name}`).sort()).toEqual([...blobs.keys()].sort());
  for (const name of names) expect(await digestIn(dir.path, name)).toBe(name);
  expect(server.requests.some(({ headers }) => headers.range !== undefined)).toBe(true);
});

/** Serves blobs slowly, so that a process can be killed in the middle. */
function dripping(blobs: ReadonlyMap<string, Buffer>): Handler {
  return async ({ url, headers }, response) => {
    const bytes = blobs.get(url.split('/').at(-1) ?? '') ?? Buffer.alloc(0);
    const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': bytes.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    });
    for (let at = from; at < bytes.length && !response.destroyed; at += CHUNK) {
      response.write(bytes.subarray(at, at + CHUNK));
      await slowness(5);
    }
    response.end();
  };
}

function started(args: string[]): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: 'inherit' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Bytes of whole and partial blobs. */
async function storedIn(dir: string): Promise<number> {
  const sizes = ['sha256', 'partial'].map(async (folder) => {
    const names = await readdir(join(dir, folder)).catch(() => []);
    const files = names.map((name) => stat(join(dir, folder, name)).catch(() => undefined));
    return (await Promise.all(files)).reduce((sum, file) => sum + (file?.size ?? 0), 0);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function digestIn(dir: string, name: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(join(dir, 'sha256', name)))
    .digest('hex');
}
