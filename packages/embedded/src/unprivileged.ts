/** PostgreSQL refuses to run as root: it gets an account that every Linux has, and files that account can reach. */
import { chmod, chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { run } from './run.ts';

export interface Account {
  uid: number;
  gid: number;
}

/** null: we are not root, and stay who we are. */
export async function unprivilegedAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const account = await lookUp(name);
    if (account !== null) return account;
  }
  throw unavailable(
    'NO_ACCOUNT',
    'PostgreSQL does not run as root, and there is no account `postgres` or `nobody`; set DATABASE_URL',
  );
}

async function lookUp(name: string): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid), gid: Number(gid) };
  } catch {
    return null;
  }
}

/** Whether the account may walk to `path`: every folder above an existing one must be open to it. */
export async function canReach(account: Account, path: string): Promise<boolean> {
  for (let dir = path; ; dir = dirname(dir)) {
    const found = await stat(dir).catch(() => null);
    if (found !== null && !maySearch(account, found)) return false;
    if (dir === dirname(dir)) return true;
  }
}

/**
 * Whether the account can reach the folder, after opening it to the account's group where that is all it takes and
 * the folder was root's alone. Folders above are not ours to open.
 */
export async function letThrough(account: Account, dir: string): Promise<boolean> {
  if (!(await canReach(account, dirname(dir)))) return false;
  const found = await stat(dir);
  if (maySearch(account, found)) return true;
  if (found.uid !== 0 || (found.mode & 0o070) !== 0) return false;
  await chown(dir, found.uid, account.gid);
  await chmod(dir, (found.mode & 0o777) | 0o010);
  return true;
}

interface Owned {
  uid: number;
  gid: number;
  mode: number;
}

export function maySearch(account: Account, { uid, gid, mode }: Owned): boolean {
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
