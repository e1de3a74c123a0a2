/** Removes unused blobs and abandoned partial downloads from the blob cache, oldest first. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isHeld } from './file-lock.ts';
import { unlessMissing } from './storage-error.ts';

export interface PruneOptions {
  olderThanMs: number;
  /** No more is removed than what frees so many bytes; absent: all. */
  enough?: number | undefined;
  /** Only these blobs are removed, of any age, where they are unused. As `sha256/<hex>`. */
  only?: ReadonlySet<string> | undefined;
  signal?: AbortSignal | undefined;
}

export interface Pruned {
  blobs: number;
  bytes: number;
}

interface Unused {
  path: string;
  size: number;
  /** Milliseconds since it was last used. */
  ageMs: number;
  isBlob: boolean;
}

export async function prune(dir: string, options: PruneOptions): Promise<Pruned> {
  const { enough = Number.POSITIVE_INFINITY, only, signal } = options;
  const pruned: Pruned = { blobs: 0, bytes: 0 };
  const unused = [
    ...(await unusedBlobs(dir, 'sha256', options)),
    ...(await unusedBlobs(dir, 'sha512', options)),
    ...(only ? [] : await unusedPartials(join(dir, 'partial'), options)),
  ];
  for (const { path, size, isBlob } of unused.sort((one, other) => other.ageMs - one.ageMs)) {
    if (pruned.bytes >= enough) break;
    signal?.throwIfAborted();
    await rm(path, { force: true });
    pruned.bytes += size;
    if (isBlob) pruned.blobs += 1;
  }
  return pruned;
}

/**
 * The ctime of a blob changes when a link to it is added or removed. A link made after the check
 * keeps the bytes; only the next copy has to download them again.
 */
async function unusedBlobs(
  dir: string,
  algorithm: string,
  { olderThanMs, only, signal }: PruneOptions,
): Promise<Unused[]> {
  const unused: Unused[] = [];
  const names = only
    ? [...only].flatMap((name) => (dirname(name) === algorithm ? [basename(name)] : []))
    : await unlessMissing(readdir(join(dir, algorithm)));
  for (const name of names ?? []) {
    signal?.throwIfAborted();
    const path = join(dir, algorithm, name);
    const stat = await unlessMissing(lstat(path));
    if (!stat || stat.nlink > 1) continue;
    const ageMs = Date.now() - stat.ctimeMs;
    if (only || ageMs >= olderThanMs) unused.push({ path, size: stat.size, ageMs, isBlob: true });
  }
  return unused;
}

async function unusedPartials(
  dir: string,
  { olderThanMs, signal }: PruneOptions,
): Promise<Unused[]> {
  const unused: Unused[] = [];
  for (const name of (await unlessMissing(readdir(dir))) ?? []) {
    signal?.throwIfAborted();
    const path = join(dir, name);
    const stat = await unlessMissing(lstat(path));
    if (!stat) continue;
    const ageMs = Date.now() - stat.mtimeMs;
    const [stem] = name.split('.');
    if (ageMs < olderThanMs || (await isHeld(join(dir, `${stem}.lock`)))) continue;
    unused.push({ path, size: stat.size, ageMs, isBlob: false });
  }
  return unused;
}
