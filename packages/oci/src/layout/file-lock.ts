/**
 * File lock between processes: a file with the owner's identity, hard-linked into place and touched
 * while it is held. It is taken over if its owner is dead or has not touched it for `STALE_MS`. A
 * suspended owner can lose its lock this way, so holders write only to files that no other process
 * writes to (see partial.ts).
 */
import { randomUUID } from 'node:crypto';
import { link, lstat, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isDead, ownIdentity, type ProcessIdentity } from './process-identity.ts';
import { errnoOf, unlessMissing } from './storage-error.ts';

const STALE_MS = 15_000;
const TOUCH_MS = 4_000;
const POLL_MS = 50;

export interface FileLock {
  release(): Promise<void>;
}

interface Owner extends ProcessIdentity {
  token: string;
}

/**
 * Waits for the lock; returns `undefined` as soon as `enough` reports that it is no longer needed.
 */
export async function acquire(
  path: string,
  enough: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<FileLock | undefined> {
  while (true) {
    signal?.throwIfAborted();
    const lock = await tryAcquire(path);
    if (lock) return lock;
    if (await removeStale(path)) continue;
    await wait(POLL_MS, undefined, { signal });
    if (await enough()) return undefined;
  }
}

/** True if a process holds the lock; false for a stale lock. */
export async function isHeld(path: string): Promise<boolean> {
  const stat = await unlessMissing(lstat(path));
  return stat !== undefined && !(await isStale(path, stat.mtimeMs));
}

async function tryAcquire(path: string): Promise<FileLock | undefined> {
  if (await unlessMissing(lstat(path))) return undefined;
  const owner: Owner = { ...ownIdentity(), token: randomUUID() };
  const draft = `${path}.${owner.token}`;
  await writeFile(draft, JSON.stringify(owner), { flag: 'wx', mode: 0o600 });
  try {
    await link(draft, path);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return hold(path, owner);
}

function hold(path: string, owner: Owner): FileLock {
  const touch = async () => {
    const now = new Date();
    if ((await ownerOf(path))?.token === owner.token) await utimes(path, now, now);
  };
  const timer = setInterval(() => touch().catch(() => undefined), TOUCH_MS);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      if ((await ownerOf(path))?.token === owner.token) await rm(path, { force: true });
    },
  };
}

/** Removes a stale lock. True if there is no lock afterwards. */
async function removeStale(path: string): Promise<boolean> {
  const stat = await unlessMissing(lstat(path));
  if (!stat) return true;
  const seen = await ownerOf(path);
  if (!(await isStale(path, stat.mtimeMs))) return false;
  // Only one process succeeds in renaming. If the file is a new lock of another process by now, it
  // is restored.
  const aside = `${path}.${randomUUID()}`;
  if ((await unlessMissing(rename(path, aside).then(() => true))) === undefined) return true;
  if ((await ownerOf(aside))?.token !== seen?.token) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
  return true;
}

async function isStale(path: string, touchedAt: number): Promise<boolean> {
  if (Date.now() - touchedAt > STALE_MS) return true;
  const owner = await ownerOf(path);
  return owner !== undefined && isDead(owner);
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  const text = await unlessMissing(readFile(path, 'utf8'));
  if (text === undefined) return undefined;
  const [pid, space, token] = fieldsOf(text);
  return typeof pid === 'number' && typeof space === 'string' && typeof token === 'string'
    ? { pid, space, token }
    : undefined;
}

function fieldsOf(text: string): unknown[] {
  try {
    const { pid, space, token } = JSON.parse(text) ?? {};
    return [pid, space, token];
  } catch {
    return [];
  }
}
