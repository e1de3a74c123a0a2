/** The files of staged images in DATA_DIR: what they occupy, and their removal. */
import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '@portcullis/runtime';

interface StagedBlob {
  /** As in the blob cache: `sha256/<hex>`. */
  name: string;
  inode: number;
  /** Hard links of the file: the cache's, and one for each layout or image that has it. */
  links: number;
}

export interface StagedFiles {
  jobId: string;
  blobs: StagedBlob[];
}

/** Of a job, in all its layouts. */
export async function stagedFiles(jobId: string, dir: string): Promise<StagedFiles> {
  const layouts = [dir, path.join(dir, 'manifests'), path.join(dir, 'sparse')];
  const found = await Promise.all(
    layouts.flatMap((layout) =>
      ['sha256', 'sha512'].map((algorithm) => blobsIn(path.join(layout, 'blobs'), algorithm)),
    ),
  );
  return { jobId, blobs: found.flat() };
}

async function blobsIn(dir: string, algorithm: string): Promise<StagedBlob[]> {
  const files = await namesIn(path.join(dir, algorithm));
  const stats = await Promise.all(
    files.map(async (file) => {
      const stat = await lstat(path.join(dir, algorithm, file)).catch(unlessGone);
      return stat ? [{ name: `${algorithm}/${file}`, inode: stat.ino, links: stat.nlink }] : [];
    }),
  );
  return stats.flat();
}

/**
 * The jobs whose removal frees a blob. Nothing is gained by one whose blobs are all used elsewhere,
 * as in the built-in registry, which may share them by hard links.
 */
export function thatFree(jobs: readonly StagedFiles[]): StagedFiles[] {
  const links = new Map<number, number>();
  for (const { inode } of jobs.flatMap(({ blobs }) => blobs))
    links.set(inode, (links.get(inode) ?? 0) + 1);
  const isFreed = (blob: StagedBlob) => blob.links <= 1 + (links.get(blob.inode) ?? 0);
  return jobs.filter(({ blobs }) => blobs.some(isFreed));
}

/** Reports of scans stay: they are small, and the database may not have them yet. */
const KEPT = 'reports';

/** Removes the image of a job, beginning with the index: without it no part counts as here. */
export async function removeImage(dir: string): Promise<void> {
  const names = await namesIn(dir);
  await rm(path.join(dir, 'index.json'), { force: true });
  for (const name of names.filter((each) => each !== KEPT))
    await rm(path.join(dir, name), { recursive: true, force: true });
}

async function namesIn(dir: string): Promise<string[]> {
  return (await readdir(dir).catch(unlessGone)) ?? [];
}

function unlessGone(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}
