import { readFile, rm } from 'node:fs/promises';
import { hasCode } from '@portcullis/runtime';

/** Read, then deleted: it is shown once. A start that broke off before leaves it for the next one. */
export async function takeFirstPassword(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  } finally {
    await rm(file, { force: true });
  }
}
