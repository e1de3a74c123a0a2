/**
 * Builds a program from `../<name>`, whose go.sum pins every byte: our own, or one that its module
 * lists as a tool.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillOnce } from '@portcullis/embedded';
import { testCacheDir } from '../config.ts';
import { go } from './go.ts';

/**
 * @param source the program's package; by default `main.go`. Returns its path. @throws unavailable
 * `TOOL_FAILED`
 */
export async function goProgram(name: string, source = '.'): Promise<string> {
  const module = join(import.meta.dirname, '..', '..', name);
  const read = ['go.sum', ...(source === '.' ? ['main.go'] : [])];
  const files = await Promise.all(read.map((file) => readFile(join(module, file), 'utf8')));
  const mark = createHash('sha256').update(files.join('')).digest('hex').slice(0, 12);
  const dir = join(testCacheDir, name, mark);
  await fillOnce(dir, async (draft) => {
    await go(['build', '-trimpath', '-o', join(draft, name), source], { cwd: module });
  });
  return join(dir, name);
}
