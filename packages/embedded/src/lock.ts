/**
 * A lock between processes: a file that names its holder. It is linked into place with its content, so nobody ever
 * reads a half-written one; a holder that died is found out by its start time, and its lock is taken over.
 */
import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from './fs.ts';
import { identityOf, isAlive } from './identity.ts';

export interface Lock {
  release(): Promise<void>;
}

export type LockAttempt = { lock: Lock } | { holder: string };

/** Takes the lock or says who holds it (`identityOf` that process). */
export async function tryLock(path: string): Promise<LockAttempt> {
  await mkdir(dirname(path), { recursive: true });
  for (;;) {
    if (await place(path)) return { lock: { release: () => rm(path, { force: true }) } };
    const holder = await readHolder(path);
    if (holder === null) continue;
    if (isAlive(holder)) return { holder };
    const heir = await evict(path, holder);
    if (heir !== null) return { holder: heir };
  }
}

export interface LockOptions {
  signal?: AbortSignal | undefined;
  /** Called once, when somebody else holds the lock. */
  onWait?: (() => void) | undefined;
}

export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const lock = await waitForLock(path, options);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function waitForLock(path: string, options: LockOptions): Promise<Lock> {
  for (let waits = 0; ; waits++) {
    const attempt = await tryLock(path);
    if ('lock' in attempt) return attempt.lock;
    if (waits === 0) options.onWait?.();
    await sleep(100, undefined, { signal: options.signal });
  }
}

/** Two parts of one process lock each other out too: the content differs only between processes, the link does not. */
async function place(path: string): Promise<boolean> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, identityOf(process.pid) ?? String(process.pid), { mode: 0o600 });
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

async function readHolder(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Removes a dead process's lock; gives whoever is just doing so. Whoever found the same holder dead a moment ago must
 * not remove its successor's lock: removing is done under a lock of its own, named for the dead one, and looks again.
 */
async function evict(path: string, dead: string): Promise<string | null> {
  const name = createHash('sha256').update(dead).digest('hex').slice(0, 16);
  const attempt = await tryLock(`${path}.dead.${name}`);
  if ('holder' in attempt) return attempt.holder;
  try {
    if ((await readHolder(path)) === dead) await rm(path, { force: true });
  } finally {
    await attempt.lock.release();
  }
  return null;
}
