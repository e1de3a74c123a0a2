/**
 * Identity of a DATA_DIR: a random id in a file, equal for every process that uses the directory.
 */
import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { invalid } from '@portcullis/errors';
import { hasCode } from './system-error.ts';

const FILE = 'storage-id';
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Of processes that start at once one creates it: a hard link succeeds once, and never shows a
 * half-written file.
 */
export async function openStorageId(dataDir: string): Promise<string> {
  const file = path.join(dataDir, FILE);
  const known = await readId(file);
  if (known !== null) return known;
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readId(file)) ?? openStorageId(dataDir);
}

/** @throws invalid `STORAGE_ID_INVALID` */
async function readId(file: string): Promise<string | null> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (ID.test(text)) return text;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  throw invalid(
    'STORAGE_ID_INVALID',
    `${file} does not hold the id of a storage: delete the file, and images that are staged in its directory are pulled again`,
  );
}
