import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'pct-'));
  const bundle = `import { argv } from 'node:process'; console.log('bundle', argv.slice(1).join(' '));`;
  await writeFile(path.join(dir, 'cli.mjs'), bundle);
  await writeFile(path.join(dir, 'other.mjs'), `console.log('itself');`);
});

afterAll(() => rm(dir, { recursive: true, force: true }));

async function printed(file: string): Promise<string> {
  const preload = pathToFileURL(path.join(import.meta.dirname, 'preload.ts'));
  preload.searchParams.set('bundles', pathToFileURL(`${dir}/`).href);
  const args = [`--import=${preload.href}`, file, 'help'];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

it('runs the bundle of a program, which finds its arguments as ever', async () => {
  const main = path.join(ROOT, 'apps/cli/src/main.ts');
  expect(await printed(main)).toBe(`bundle ${main} help\n`);
});

it('runs anything else as it is', async () => {
  expect(await printed(path.join(dir, 'other.mjs'))).toBe('itself\n');
});
