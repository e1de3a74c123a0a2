/**
 * The unprivileged account of PostgreSQL, which refuses to run as root, and the files that it must
 * reach. The account is `postgres`, or a user id that no account has: every other service that runs
 * as `nobody` could read the files of `nobody`.
 */
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { run } from '../programs/run.ts';

export interface SystemAccount {
  uid: number;
  gid: number;
}

/**
 * The account that runs the server, and the one that creates a cluster: `initdb` needs an account
 * with a name.
 */
export interface PostgresAccounts {
  server: SystemAccount;
  creator: SystemAccount;
}

/** Unused on Debian and Fedora; above the ids of administrators and packages, below 65536. */
const FIRST_FREE = 64_738;
const LAST_FREE = 64_747;

/** null: we are not root and keep our account. */
export async function postgresAccounts(): Promise<PostgresAccounts | null> {
  if (process.getuid?.() !== 0) return null;
  const named = await lookUp('postgres');
  if (named !== null) return { server: named, creator: named };
  const nobody = await lookUp('nobody');
  if (nobody !== null) {
    const server = (await freeAccount()) ?? nobody;
    // By its group it reaches what `openToAccount` opened to the server.
    return { server, creator: { uid: nobody.uid, gid: server.gid } };
  }
  throw unavailable(
    'NO_ACCOUNT',
    'PostgreSQL does not run as root, and there is no account `postgres` or `nobody`; set DATABASE_URL',
  );
}

/** The first unused user id; null where the container's user namespace does not map it. */
async function freeAccount(): Promise<SystemAccount | null> {
  const map = await readFile('/proc/self/uid_map', 'utf8').catch(() => '');
  for (let uid = FIRST_FREE; uid <= LAST_FREE; uid++)
    if (isMapped(uid, map) && (await lookUp(String(uid))) === null) return { uid, gid: uid };
  return null;
}

/** @param map /proc/self/uid_map: lines of first id, id outside, count */
export function isMapped(uid: number, map: string): boolean {
  const ranges = map.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return ranges.some(([first = 0, , count = 0]) => uid >= first && uid < first + count);
}

async function lookUp(name: string): Promise<SystemAccount | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid), gid: Number(gid) };
  } catch {
    return null;
  }
}

/**
 * Changes the owner of the directory and its content; of links themselves, never of their targets.
 */
export async function giveTo({ uid, gid }: SystemAccount, dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), uid, gid);
  await lchown(dir, uid, gid);
}

/** Whether the account may traverse every directory above `path`. */
export async function canReach(account: SystemAccount, path: string): Promise<boolean> {
  for (let dir = path; ; dir = dirname(dir)) {
    const found = await stat(dir).catch(() => null);
    if (found !== null && !maySearch(account, found)) return false;
    if (dir === dirname(dir)) return true;
  }
}

/**
 * Whether the account can reach the directory, after opening it to the account's group where that
 * suffices and the directory, which is root's, is not readable to any group. Directories above are
 * not changed.
 */
export async function openToAccount(account: SystemAccount, dir: string): Promise<boolean> {
  if (!(await canReach(account, dirname(dir)))) return false;
  const found = await stat(dir);
  if (maySearch(account, found)) return true;
  if (found.uid !== 0 || (found.mode & 0o060) !== 0) return false;
  await chown(dir, found.uid, account.gid);
  await chmod(dir, (found.mode & 0o777) | 0o010);
  return true;
}

interface Owned {
  uid: number;
  gid: number;
  mode: number;
}

export function maySearch(account: SystemAccount, { uid, gid, mode }: Owned): boolean {
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
