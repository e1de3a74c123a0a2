/** Programs built from `../<name>`, whose go.sum pins every byte: ours of a few lines, or one that its module lists. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireBinary, fillOnce, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from './config.ts';
import { GO } from './conformance.ts';

/** @param source the program's package; by default `main.go`. Its path. @throws unavailable `TOOL_FAILED` */
export async function goProgram(name: string, source = '.'): Promise<string> {
  const module = join(import.meta.dirname, '..', name);
  const read = ['go.sum', ...(source === '.' ? ['main.go'] : [])];
  const files = await Promise.all(read.map((file) => readFile(join(module, file), 'utf8')));
  const mark = createHash('sha256').update(files.join('')).digest('hex').slice(0, 12);
  const dir = join(testCacheDir, name, mark);
  await fillOnce(dir, (draft) => build({ module, source }, join(draft, name)));
  return join(dir, name);
}

async function build({ module, source }: { module: string; source: string }, target: string): Promise<void> {
  const go = await acquireBinary(GO, { cacheDir: testCacheDir, env: testEnv });
  const fixed = { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local', GOWORK: 'off' };
  const env = { ...testEnv, ...go.env, ...fixed };
  await run('nice', [go.path, 'build', '-trimpath', '-o', target, source], { cwd: module, env });
}
