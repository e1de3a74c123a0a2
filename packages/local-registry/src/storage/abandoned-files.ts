/** Removes the files that processes left in a directory of ours when they were killed. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from './directory-files.ts';

const LOOK_EVERY_MS = 3_600_000;

/**
 * @param ageMs since the last write
 * @returns looks at most once an hour; what can't be removed is tried again then
 */
export function abandonedFiles(dir: string, ageMs: number): () => Promise<void> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = performance.now();
    await removeOlder(dir, ageMs).catch(() => {});
  };
}

async function removeOlder(dir: string, ageMs: number): Promise<void> {
  for (const name of (await ifThere(() => readdir(dir))) ?? []) {
    const path = join(dir, name);
    const facts = await ifThere(() => lstat(path));
    if (facts && Date.now() - facts.mtimeMs > ageMs) await rm(path, { force: true });
  }
}
