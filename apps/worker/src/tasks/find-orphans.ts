/**
 * Finds staging directories without a job, as a crash or a removal without a worker leaves them.
 * The search is bounded. `discard` removes them and reads the row once more.
 */
import { lstat, opendir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { FoundOrphans, Orphan, Store } from '@portcullis/store';
import { isJobId } from './discard.ts';

export interface FindOrphansPorts {
  stagingDir: string;
  jobs: Pick<Store['jobs'], 'existing'>;
  now(): number;
}

/** The row is written before the directory; this margin is for restoring either of them by hand. */
const YOUNG_MS = 10 * 60_000;
const MOST_LISTED = 1_000;
/** Limit over all directories: a page must not wait for a walk over millions of files. */
const MOST_FILES = 100_000;

export async function findOrphans({
  stagingDir,
  jobs,
  now,
}: FindOrphansPorts): Promise<FoundOrphans> {
  const names = (await namesIn(stagingDir)).filter(isJobId);
  const owned = await jobs.existing(names);
  const orphans = names.filter((name) => !owned.has(name));
  const budget = { files: MOST_FILES };
  const items: Orphan[] = [];
  for (const jobId of orphans.slice(0, MOST_LISTED)) {
    const found = await measure(path.join(stagingDir, jobId), budget);
    if (!found) continue;
    const removable = now() - found.modifiedAt.getTime() >= YOUNG_MS;
    items.push({ jobId, ...found, removable });
  }
  return { items, complete: orphans.length <= MOST_LISTED && budget.files > 0 };
}

async function namesIn(dir: string): Promise<string[]> {
  return (await ifThere(() => readdir(dir))) ?? [];
}

type Measured = Pick<Orphan, 'size' | 'files' | 'modifiedAt'>;

/**
 * Null where the directory is gone. Blobs are hard links: a file counts once, and its times change
 * with every link of another job, so the age is that of the newest directory entry.
 */
async function measure(dir: string, budget: { files: number }): Promise<Measured | null> {
  const stat = await ifThere(() => lstat(dir));
  if (!stat?.isDirectory()) return null;
  const sum = { size: 0, files: 0, modified: stat.mtimeMs };
  const seen = new Set<number>();
  for (const dirs = [dir]; dirs.length > 0 && budget.files > 0; ) {
    const opened = await ifThere(() => opendir(dirs.pop() ?? dir));
    if (!opened) continue;
    for await (const entry of opened) {
      if (--budget.files <= 0) break;
      const file = path.join(entry.parentPath, entry.name);
      const facts = await ifThere(() => lstat(file));
      if (facts?.isDirectory()) {
        dirs.push(file);
        sum.modified = Math.max(sum.modified, facts.mtimeMs);
      }
      if (!facts || facts.isDirectory() || seen.has(facts.ino)) continue;
      seen.add(facts.ino);
      sum.files += 1;
      sum.size += facts.size;
    }
  }
  return { size: sum.size, files: sum.files, modifiedAt: new Date(sum.modified) };
}

async function ifThere<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
