import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TemporaryDir, temporaryDir } from '../temporary.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

let dir: TemporaryDir;

beforeAll(async () => {
  dir = await temporaryDir();
  const bundle = `import { argv } from 'node:process'; console.log('bundle', argv.slice(1).join(' '));`;
  await writeFile(path.join(dir.path, 'cli.mjs'), bundle);
  await writeFile(path.join(dir.path, 'other.mjs'), `console.log('itself');`);
});

afterAll(() => dir.remove());

async function printed(file: string): Promise<string> {
  const preload = pathToFileURL(path.join(import.meta.dirname, 'preload.ts'));
  preload.searchParams.set('bundles', pathToFileURL(`${dir.path}/`).href);
  const args = [`--import=${preload.href}`, file, 'help'];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

it('runs the bundle of a program, which finds its arguments as ever', async () => {
  const main = path.join(ROOT, 'apps/cli/src/main.ts');
  expect(await printed(main)).toBe(`bundle ${main} help\n`);
});

it('runs anything else as it is', async () => {
  expect(await printed(path.join(dir.path, 'other.mjs'))).toBe('itself\n');
});
