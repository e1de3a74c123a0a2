/**
 * A lock between processes: a file that says who holds it. It is linked into place with its content, so nobody ever
 * reads a half-written one; what a dead holder left is taken over, by one of all who find it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hasCode } from './system-error.ts';

export interface LockFile {
  path: string;
  /** What this holder is known by. */
  token: string;
  isDead(holder: string, path: string): boolean | Promise<boolean>;
}

/** Takes it and gives null, or gives who holds it. */
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

/** Null: nobody. */
export async function holderOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Two of the same token lock each other out too: the content may be the same, the link is not. */
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
 * Removes a dead one's lock; gives whoever is just doing so. Whoever found the same holder dead a moment ago must not
 * remove its successor's lock: removing is done under a lock of its own, named for the dead one, and looks again.
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
