/**
 * Removes what killed processes left of the scanner's files: directories of scans and downloads,
 * and locks.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isStaleLock, removeAbandoned, tryLock } from '@portcullis/runtime';
import { DRAFT } from '../database/database-dir.ts';
import type { ScannerPaths } from '../paths.ts';

/** Returns how many were removed. */
export async function clearLeftovers({
  runs,
  residents,
  databases,
}: ScannerPaths): Promise<number> {
  const drafts = (await namesIn(databases)).filter((name) => name.startsWith(DRAFT));
  const directories = [
    ...(await namesIn(runs)).map((name) => join(runs, name)),
    ...(await namesIn(residents)).map((name) => join(residents, name)),
    ...drafts.map((name) => join(databases, name)),
  ];
  let cleared = 0;
  for (const directory of directories) {
    if (await removeAbandoned(directory)) cleared += 1;
  }
  return cleared + (await clearLocks(databases));
}

/**
 * Drafts of a lock, and the file that guards the removal of a dead holder's lock, exist only for a
 * moment.
 */
const PASSING = /\.lock\.(?:dead\.)?[\w.]+$/;
const PASSING_MS = 60_000;

async function clearLocks(directory: string): Promise<number> {
  let cleared = 0;
  for (const name of await namesIn(directory)) {
    const path = join(directory, name);
    if (name.endsWith('.lock') && (await isStaleLock(path))) {
      // Taken over, as its next user would, and released.
      const attempt = await tryLock(path, 'heartbeat');
      if ('lock' in attempt) await attempt.lock.release();
      cleared += 1;
    }
    if (PASSING.test(name) && (await isOlder(path, PASSING_MS))) {
      await rm(path, { force: true });
      cleared += 1;
    }
  }
  return cleared;
}

async function isOlder(path: string, ms: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > ms;
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
