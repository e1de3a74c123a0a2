/** Removes unused blobs and abandoned partial downloads from the blob cache. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isHeld } from './file-lock.ts';
import { unlessMissing } from './storage-error.ts';

export interface PruneOptions {
  olderThanMs: number;
  signal?: AbortSignal | undefined;
}

export interface Pruned {
  blobs: number;
  bytes: number;
}

export async function prune(dir: string, options: PruneOptions): Promise<Pruned> {
  const pruned: Pruned = { blobs: 0, bytes: 0 };
  for (const algorithm of ['sha256', 'sha512'])
    await pruneBlobs(join(dir, algorithm), options, pruned);
  await prunePartials(join(dir, 'partial'), options, pruned);
  return pruned;
}

/**
 * The ctime of a blob changes when a link to it is added or removed. A link made after the check
 * keeps the bytes; only the next copy has to download them again.
 */
async function pruneBlobs(
  dir: string,
  { olderThanMs, signal }: PruneOptions,
  pruned: Pruned,
): Promise<void> {
  for (const name of (await unlessMissing(readdir(dir))) ?? []) {
    signal?.throwIfAborted();
    const stat = await unlessMissing(lstat(join(dir, name)));
    if (!stat || stat.nlink > 1 || Date.now() - stat.ctimeMs < olderThanMs) continue;
    await remove(join(dir, name), stat.size, pruned);
    pruned.blobs += 1;
  }
}

async function prunePartials(
  dir: string,
  { olderThanMs, signal }: PruneOptions,
  pruned: Pruned,
): Promise<void> {
  for (const name of (await unlessMissing(readdir(dir))) ?? []) {
    signal?.throwIfAborted();
    const stat = await unlessMissing(lstat(join(dir, name)));
    if (!stat || Date.now() - stat.mtimeMs < olderThanMs) continue;
    const [stem] = name.split('.');
    if (await isHeld(join(dir, `${stem}.lock`))) continue;
    await remove(join(dir, name), stat.size, pruned);
  }
}

async function remove(path: string, size: number, pruned: Pruned): Promise<void> {
  await rm(path, { force: true });
  pruned.bytes += size;
}
