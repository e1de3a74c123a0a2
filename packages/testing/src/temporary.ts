import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryDir {
  path: string;
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Prefix of all temporary directories, by which the leak check finds them. Short, because they are
 * in the folder of the run, and podman refuses a path of more than 50 characters.
 */
export const TEMPORARY_PREFIX = 'pct-';

export async function temporaryDir(): Promise<TemporaryDir> {
  const path = await mkdtemp(join(tmpdir(), `${TEMPORARY_PREFIX}${process.pid}-`));
  await chmod(path, 0o711); // as root, PostgreSQL runs under another account, which must be able to enter
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
