/**
 * Atomic creation of a file that names its holder, the base of file locks. The file is linked into
 * place with its content, so that no process reads a half-written one; a dead holder's file is
 * taken over by exactly one of the processes that find it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hasCode } from './system-error.ts';

export interface LockFile {
  path: string;
  /** Identifies this holder. */
  token: string;
  isDead(holder: string, path: string): boolean | Promise<boolean>;
}

/** Takes the file and returns null, or returns its holder. */
export async function takeLockFile(file: LockFile): Promise<string | null> {
  for (;;) {
    if (await place(file)) return null;
    const holder = await holderOf(file.path);
    if (holder === null) continue;
    if (!(await file.isDead(holder, file.path))) return holder;
    const heir = await evict(file, holder);
    if (heir !== null) return heir;
  }
}

/** Null where the file does not exist. */
export async function holderOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Two holders with the same token exclude each other, too: the content may be equal, the link is
 * not.
 */
async function place({ path, token }: LockFile): Promise<boolean> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, token, { mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Removes a dead holder's file; returns the process that is already doing so. A process that found
 * the same holder dead a moment ago must not remove its successor's file: the removal is done under
 * a second lock, named after the dead holder, and checks again.
 */
async function evict(file: LockFile, dead: string): Promise<string | null> {
  const { path } = file;
  const name = createHash('sha256').update(dead).digest('hex').slice(0, 16);
  const own = { ...file, path: `${path}.dead.${name}` };
  const heir = await takeLockFile(own);
  if (heir !== null) return heir;
  try {
    if ((await holderOf(path)) === dead && (await file.isDead(dead, path)))
      await rm(path, { force: true });
  } finally {
    await rm(own.path, { force: true });
  }
  return null;
}
