import { readFile, rm } from 'node:fs/promises';
import { hasCode } from '@portcullis/runtime';

/**
 * Reads and deletes the generated password: it is shown once. An interrupted start leaves it for
 * the next one.
 */
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
