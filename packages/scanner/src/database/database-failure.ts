/** Why the last update of the vulnerability database failed, in a file for every process. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';
import type { ScannerPaths } from '../paths.ts';

const DatabaseFailure = z.object({ message: z.string() });

/** Null after a successful update, and before the first one. */
export async function readDatabaseFailure(paths: ScannerPaths): Promise<string | null> {
  try {
    return DatabaseFailure.parse(JSON.parse(await readFile(paths.databaseFailure, 'utf8'))).message;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError || error instanceof z.ZodError)
      return null;
    throw error;
  }
}

export async function writeDatabaseFailure(paths: ScannerPaths, message: string): Promise<void> {
  await mkdir(paths.root, { recursive: true });
  const draft = `${paths.databaseFailure}.${crypto.randomUUID()}`;
  await writeFile(draft, JSON.stringify({ message }));
  await rename(draft, paths.databaseFailure);
}

export async function clearDatabaseFailure(paths: ScannerPaths): Promise<void> {
  await rm(paths.databaseFailure, { force: true });
}
