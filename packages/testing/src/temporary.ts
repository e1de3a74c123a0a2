import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryDir {
  path: string;
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** All of ours begin alike, so that the leak guard finds what was left. */
export const TEMPORARY_PREFIX = 'portcullis-test-';

export async function temporaryDir(): Promise<TemporaryDir> {
  const path = await mkdtemp(join(tmpdir(), `${TEMPORARY_PREFIX}${process.pid}-`));
  await chmod(path, 0o711); // as root, PostgreSQL runs under another account, which must get through
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
