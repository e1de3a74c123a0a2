/**
 * File locks between processes. The file names its holder and is linked into place with its
 * content, so that no process reads a half-written one; a dead holder's file is taken over by
 * exactly one of the processes that find it.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '../system-error.ts';
import { identityOf, isAlive } from './identity.ts';

const TOUCH_MS = 2_000;
const STALE_MS = 15_000;
const POLL_MS = 100;

/**
 * How a dead holder is recognised. `process`: by its identity, at once, between processes of one
 * machine. `heartbeat`: the holder touches the file, and counts as dead 15 seconds after the last
 * touch; for processes in several containers or hosts, which cannot see each other's pids.
 */
export type LockLiveness = 'process' | 'heartbeat';

export interface Lock extends AsyncDisposable {
  release(): Promise<void>;
}

/** `holder`: for `process`, the `identityOf` the process. */
export type LockAttempt = { lock: Lock } | { holder: string };

export interface LockOptions {
  signal?: AbortSignal | undefined;
  /** Called once, when another process holds the lock. */
  onWait?: (() => void) | undefined;
}

export async function tryLock(path: string, liveness: LockLiveness): Promise<LockAttempt> {
  await mkdir(dirname(path), { recursive: true });
  const isProcess = liveness === 'process';
  const token = isProcess ? (identityOf(process.pid) ?? String(process.pid)) : randomUUID();
  const isDead = isProcess
    ? (other: string) => !isAlive(other)
    : (_: string, at: string) => isStaleLock(at);
  const holder = await take({ path, token, isDead });
  if (holder !== null) return { holder };
  return { lock: isProcess ? heldByProcess(path) : heldByHeartbeat(path, token) };
}

/** Waits until the lock is free. */
export async function lock(
  path: string,
  liveness: LockLiveness,
  { signal, onWait }: LockOptions = {},
): Promise<Lock> {
  for (let waits = 0; ; waits++) {
    const attempt = await tryLock(path, liveness);
    if ('lock' in attempt) return attempt.lock;
    if (waits === 0) onWait?.();
    await sleep(POLL_MS, undefined, { signal });
  }
}

export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  await using _held = await lock(path, 'process', options);
  return await work();
}

/** Whether the holder of a `heartbeat` lock is dead; true also where there is no lock. */
export async function isStaleLock(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > STALE_MS;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
}

function heldByProcess(path: string): Lock {
  const release = () => rm(path, { force: true });
  return { release, [Symbol.asyncDispose]: release };
}

function heldByHeartbeat(path: string, token: string): Lock {
  const isMine = async () => (await holderOf(path).catch(() => null)) === token;
  const touch = async () => {
    if (await isMine()) await utimes(path, new Date(), new Date()).catch(() => undefined);
  };
  const timer = setInterval(() => void touch(), TOUCH_MS);
  const release = async () => {
    clearInterval(timer);
    if (await isMine()) await rm(path, { force: true });
  };
  return { release, [Symbol.asyncDispose]: release };
}

interface LockFile {
  path: string;
  /** Identifies this holder. */
  token: string;
  isDead(holder: string, path: string): boolean | Promise<boolean>;
}

/** Takes the file and returns null, or returns its holder. */
async function take(file: LockFile): Promise<string | null> {
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
async function holderOf(path: string): Promise<string | null> {
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
  const heir = await take(own);
  if (heir !== null) return heir;
  try {
    if ((await holderOf(path)) === dead && (await file.isDead(dead, path)))
      await rm(path, { force: true });
  } finally {
    await rm(own.path, { force: true });
  }
  return null;
}
