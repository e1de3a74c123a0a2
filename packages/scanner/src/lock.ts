/**
 * A lock between processes: a file that its holder touches. One that is no longer touched belongs to a process that
 * died and is taken over; pids aren't asked, because DATA_DIR may be shared by containers that number their own.
 */
import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from './system-error.ts';

const TOUCH_MS = 2_000;
const STALE_MS = 15_000;

export interface Lock extends AsyncDisposable {
  release(): Promise<void>;
}

/** The lock, or null where another process holds it. */
export async function tryLock(file: string): Promise<Lock | null> {
  await mkdir(dirname(file), { recursive: true });
  const token = crypto.randomUUID();
  if (await create(file, token)) return held(file, token);
  if (!(await removeStale(file))) return null;
  return (await create(file, token)) ? held(file, token) : null;
}

/** Waits until the lock is free. */
export async function lock(file: string, signal?: AbortSignal): Promise<Lock> {
  for (;;) {
    const mine = await tryLock(file);
    if (mine) return mine;
    await sleep(500, undefined, { signal });
  }
}

async function create(file: string, token: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(token).finally(() => handle.close());
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** By rename, so that only one of several that find it stale removes it. */
async function removeStale(file: string): Promise<boolean> {
  const grave = `${file}.stale.${crypto.randomUUID()}`;
  try {
    if (Date.now() - (await stat(file)).mtimeMs < STALE_MS) return false;
    await rename(file, grave);
    await rm(grave);
    return true;
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
  return (await readFile(file, 'utf8').catch(() => null)) === token;
}
