/** Why the last update of the vulnerability database failed, in a file for every process. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isAppError, unavailable } from '@portcullis/errors';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';
import type { ScannerPaths } from '../paths.ts';

const DatabaseFailure = z.object({
  code: z.string(),
  message: z.string(),
});
export type DatabaseFailure = z.infer<typeof DatabaseFailure>;

/** Null after a successful update, and before the first one. */
export async function readDatabaseFailure(paths: ScannerPaths): Promise<DatabaseFailure | null> {
  try {
    return DatabaseFailure.parse(JSON.parse(await readFile(paths.databaseFailure, 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError || error instanceof z.ZodError)
      return null;
    throw error;
  }
}

export async function writeDatabaseFailure(
  paths: ScannerPaths,
  { code, message }: DatabaseFailure,
): Promise<void> {
  await mkdir(paths.root, { recursive: true });
  const draft = `${paths.databaseFailure}.${crypto.randomUUID()}`;
  await writeFile(draft, JSON.stringify({ code, message }));
  await rename(draft, paths.databaseFailure);
}

export async function clearDatabaseFailure(paths: ScannerPaths): Promise<void> {
  await rm(paths.databaseFailure, { force: true });
}

/** What an update throws: a full disk has a code of the product also where we write ourselves. */
export function updateError(cause: unknown): unknown {
  return !isAppError(cause) && hasCode(cause, 'ENOSPC', 'EDQUOT')
    ? unavailable('DATABASE_NO_SPACE', 'the disk is full: the database was not stored', { cause })
    : cause;
}
