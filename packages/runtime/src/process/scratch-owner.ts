/**
 * Ownership of scratch directories: a file in the directory names the process and is touched while
 * that runs. So the leftovers of a killed process are known for certain on the same host, and after
 * a minute without a touch on any other.
 */
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isDead, ownMark } from './identity.ts';

const OWNER = '.owner.json';
const TOUCH_MS = 5_000;
/** Also for a directory without its file: a process made it, and is about to write the file. */
const SILENT_MS = 60_000;

const Owner = z.object({ identity: z.string(), space: z.string() });

/** The directory is owned until this is disposed of. */
export async function ownDirectory(directory: string): Promise<Disposable> {
  const path = join(directory, OWNER);
  await writeFile(path, JSON.stringify(ownMark()), { mode: 0o600 });
  const touch = () => void utimes(path, new Date(), new Date()).catch(() => undefined);
  const timer = setInterval(touch, TOUCH_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function isAbandoned(directory: string, now = Date.now()): Promise<boolean> {
  const path = join(directory, OWNER);
  const touched = await stat(path).catch(() => stat(directory).catch(() => null));
  if (!touched) return false;
  if (now - touched.mtimeMs > SILENT_MS) return true;
  const owner = await readOwner(path);
  return owner !== null && isDead(owner);
}

async function readOwner(path: string): Promise<z.infer<typeof Owner> | null> {
  try {
    return Owner.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    // The file is not there yet, or truncated: the age decides.
    return null;
  }
}

export async function removeAbandoned(directory: string): Promise<boolean> {
  if (!(await isAbandoned(directory))) return false;
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  return true;
}
