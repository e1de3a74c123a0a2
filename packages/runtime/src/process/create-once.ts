/**
 * Creates a file with generated content once. Of processes that start together one succeeds: a hard
 * link is made at most once, and never shows a half-written file.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../system-error.ts';

/** The trimmed text of the file; null where it does not exist. */
export async function readText(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** The text of the file, which is `make()` unless another process created it first. */
export async function createOnce(file: string, make: () => string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writePrivately(draft, make());
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readText(file)) ?? createOnce(file, make);
}

/** A new file for our account alone, on disk when this returns. */
export async function writePrivately(file: string, text: string): Promise<void> {
  await writeFile(file, `${text}\n`, { flag: 'wx', mode: 0o600, flush: true });
}
