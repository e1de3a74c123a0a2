/**
 * A lock file between processes that may run in different containers: the holder touches it, and a
 * file that is no longer touched is stale. Pids are not checked, because each container numbers its
 * own.
 */
import { mkdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode, holderOf, takeLockFile } from '@portcullis/runtime';

const TOUCH_MS = 2_000;
const STALE_MS = 15_000;

export interface Lock extends AsyncDisposable {
  release(): Promise<void>;
}

/** The lock, or null where another process holds it. */
export async function tryLock(file: string): Promise<Lock | null> {
  await mkdir(dirname(file), { recursive: true });
  const token = crypto.randomUUID();
  const holder = await takeLockFile({ path: file, token, isDead: (_, path) => isStale(path) });
  return holder === null ? held(file, token) : null;
}

/** Waits until the lock is free. */
export async function lock(file: string, signal?: AbortSignal): Promise<Lock> {
  for (;;) {
    const mine = await tryLock(file);
    if (mine) return mine;
    await sleep(500, undefined, { signal });
  }
}

export async function isStale(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > STALE_MS;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
}

function held(file: string, token: string): Lock {
  const timer = setInterval(() => void touch(file, token), TOUCH_MS);
  const release = async () => {
    clearInterval(timer);
    if (await isMine(file, token)) await rm(file, { force: true });
  };
  return { release, [Symbol.asyncDispose]: release };
}

async function touch(file: string, token: string): Promise<void> {
  if (await isMine(file, token)) await utimes(file, new Date(), new Date()).catch(() => undefined);
}

async function isMine(file: string, token: string): Promise<boolean> {
  return (await holderOf(file).catch(() => null)) === token;
}
