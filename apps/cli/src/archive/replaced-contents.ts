/**
 * Replaces the content of a directory and keeps the directory itself, which may be a mount point
 * under a read-only root: neither it nor a sibling can be created or renamed there. The draft is
 * inside, on the same file system, and every step is a rename. The next run undoes or completes an
 * interrupted replacement.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '@portcullis/runtime';

const DRAFT = '.restoring';
/** Receives the old content; renamed once all of it has moved. */
const LEAVING = '.replacing';
const REPLACED = '.replaced';
const OURS = new Set([DRAFT, LEAVING, REPLACED]);

/**
 * The names in a directory except those of a replacement; empty where the directory does not exist.
 */
export async function contentsOf(place: string): Promise<string[]> {
  return (await namesIn(place)).filter((name) => !OURS.has(name));
}

/** An empty directory for the new content. */
export async function beginReplacement(place: string): Promise<string> {
  await mkdir(place, { recursive: true });
  await recover(place);
  const draft = path.join(place, DRAFT);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  return draft;
}

export async function commitReplacement(place: string): Promise<void> {
  const leaving = path.join(place, LEAVING);
  await mkdir(leaving, { mode: 0o700 });
  await moveAll(place, leaving, await contentsOf(place));
  await rename(leaving, path.join(place, REPLACED));
  await moveAll(path.join(place, DRAFT), place);
  await removeScratch(place);
}

export async function abandonReplacement(place: string): Promise<void> {
  await rm(path.join(place, DRAFT), { recursive: true, force: true });
}

/** The old content is moved back, unless all of the new content is in place. */
async function recover(place: string): Promise<void> {
  const replaced = path.join(place, REPLACED);
  if ((await namesIn(path.join(place, DRAFT))).length > 0 && (await exists(replaced))) {
    for (const name of await contentsOf(place))
      await rm(path.join(place, name), { recursive: true });
    await moveAll(replaced, place);
  }
  await moveAll(path.join(place, LEAVING), place);
  await removeScratch(place);
}

async function removeScratch(place: string): Promise<void> {
  for (const name of OURS) await rm(path.join(place, name), { recursive: true, force: true });
}

async function moveAll(from: string, to: string, names?: readonly string[]): Promise<void> {
  for (const name of names ?? (await namesIn(from)))
    await rename(path.join(from, name), path.join(to, name));
}

async function exists(dir: string): Promise<boolean> {
  return (await namesIn(path.dirname(dir))).includes(path.basename(dir));
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
