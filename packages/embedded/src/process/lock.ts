/** File lock between processes of one machine. A dead holder is detected by its start time. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLockFile } from '@portcullis/runtime';
import { identityOf, isAlive } from './identity.ts';

export interface Lock {
  release(): Promise<void>;
}

export type LockAttempt = { lock: Lock } | { holder: string };

/** Takes the lock, or returns the `identityOf` its holder. */
export async function tryLock(path: string): Promise<LockAttempt> {
  await mkdir(dirname(path), { recursive: true });
  const token = identityOf(process.pid) ?? String(process.pid);
  const holder = await takeLockFile({ path, token, isDead: (other) => !isAlive(other) });
  return holder === null ? { lock: { release: () => rm(path, { force: true }) } } : { holder };
}

export interface LockOptions {
  signal?: AbortSignal | undefined;
  /** Called once, when another process holds the lock. */
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
