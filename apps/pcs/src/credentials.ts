/** The credentials that `pcs login` stores: one installation, readable by the owner only. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { invalid } from '@portcullis/errors';

export interface StoredLogin {
  url: string;
  token: string;
  username: string;
  /** Null: the server knows when it ends. */
  expires_at: string | null;
  /** Certificate authorities in PEM format. */
  ca: string | null;
}

/** Null where there is no login. @throws invalid `LOGIN_UNREADABLE` */
export async function readLogin(file: string): Promise<StoredLogin | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const found = parse(text);
  if (found) return found;
  throw invalid('LOGIN_UNREADABLE', `${file} contains no login; log in again with \`pcs login\``);
}

function parse(text: string): StoredLogin | null {
  try {
    const { url, token, username, expires_at = null, ca = null } = JSON.parse(text);
    const isWhole = [url, token, username].every((each) => typeof each === 'string');
    return isWhole ? { url, token, username, expires_at, ca } : null;
  } catch {
    return null;
  }
}

export function writeLogin(file: string, login: StoredLogin): Promise<void> {
  return writePrivately(file, `${JSON.stringify(login, null, 2)}\n`);
}

/** At no time can another account read it, or anyone a part of it. */
export async function writePrivately(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await rm(draft, { force: true });
  await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
  await rename(draft, file);
}

export async function removeLogin(file: string): Promise<void> {
  await rm(file, { force: true });
}
