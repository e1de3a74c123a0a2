/** A cache directory of downloads and builds, shared by every instance and checkout of one user. */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type LockOptions, withLock } from '@portcullis/runtime';
import { exists } from '../fs.ts';

export interface CacheEnv {
  PORTCULLIS_CACHE?: string | undefined;
  XDG_CACHE_HOME?: string | undefined;
}

export function cacheDir(env: CacheEnv): string {
  if (env.PORTCULLIS_CACHE) return resolve(env.PORTCULLIS_CACHE);
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'portcullis');
}

/**
 * Fills `dir` once: `fill` writes to a temporary directory beside it, which is renamed when it is
 * complete. Concurrent callers wait.
 */
export async function fillOnce(
  dir: string,
  fill: (draft: string) => Promise<void>,
  options: LockOptions = {},
) {
  if (await exists(dir)) return;
  await withLock(`${dir}.lock`, () => fillLocked(dir, fill), options);
}

async function fillLocked(dir: string, fill: (draft: string) => Promise<void>): Promise<void> {
  if (await exists(dir)) return;
  await mkdir(dirname(dir), { recursive: true });
  const draft = await mkdtemp(join(dirname(dir), `.${basename(dir)}-`));
  try {
    await fill(draft);
    await rename(draft, dir);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
