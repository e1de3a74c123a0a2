/**
 * Socket directories of the services of `npm start`: Unix sockets in directories that no other
 * account can enter. On a loopback port any account of the machine could listen while the service
 * is down, and would receive our clients' passwords. The directory is `DATA_DIR/sockets`. Where its
 * path is too long for a socket address, or its file system has no sockets, it is a new directory
 * in the system's temporary directory at each start, and `DATA_DIR/sockets` links to it.
 * PostgreSQL, which may run under another account, listens in its cluster's directory, which that
 * account owns and which PostgreSQL requires to be closed to others; only where that path is too
 * long, in a subdirectory of ours.
 */
import { once } from 'node:events';
import { chmod, chown, lstat, mkdir, mkdtemp, readlink, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { openToAccount, type SystemAccount } from './unprivileged.ts';

/** `sun_path` of unix(7), without the final NUL. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

/** Only part of the name of PostgreSQL's socket. */
export const POSTGRES_PORT = 5432;
const POSTGRES_SOCKET = `.s.PGSQL.${POSTGRES_PORT}`;

export function socketPaths(sockets: string) {
  return { redis: join(sockets, 'redis.sock'), registry: join(sockets, 'registry.sock') };
}

/** The directory in which PostgreSQL listens. */
export function postgresSocketDir(cluster: string, sockets: string): string {
  return fits(join(cluster, POSTGRES_SOCKET)) ? cluster : join(sockets, 'postgres');
}

/** Created for PostgreSQL's account where it is not the cluster's directory. */
export async function makePostgresSocketDir(
  dir: string,
  sockets: string,
  account: SystemAccount | null,
) {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (account === null) return;
  await chown(dir, account.uid, account.gid);
  if (await openToAccount(account, sockets)) return;
  const text = `PostgreSQL's account can't enter ${sockets}; set DATA_DIR to a shorter path, or TMPDIR to an open folder`;
  throw unavailable('SOCKET_UNREACHABLE', text);
}

/**
 * Called at each start by the holder of the lock. @param dir `DATA_DIR/sockets` @returns the
 * directory itself
 */
export async function openSockets(dir: string, temporary = tmpdir()): Promise<string> {
  await closeSockets(dir);
  await mkdir(dir, { mode: 0o700 });
  if (await holdsSockets(dir)) return dir;
  const elsewhere = await mkdtemp(join(temporary, 'portcullis-'));
  await rm(dir, { recursive: true });
  await symlink(elsewhere, dir);
  await chmod(elsewhere, 0o700);
  if (await holdsSockets(elsewhere)) return elsewhere;
  await closeSockets(dir);
  const text = `no Unix socket can be made in ${dir} or in ${temporary}; set DATA_DIR or TMPDIR to a shorter path`;
  throw unavailable('SOCKET_PATH_TOO_LONG', text);
}

/** The socket directory of a running supervisor. */
export async function findSockets(dir: string): Promise<string> {
  return (await readlink(dir).catch(() => null)) ?? dir;
}

/** Called at the end, and before the next start after a crash. */
export async function closeSockets(dir: string): Promise<void> {
  const folder = await findSockets(dir);
  // In the temporary directory another account may have taken the name of a removed one.
  if (folder === dir || (await isOurs(folder))) await rm(folder, { recursive: true, force: true });
  await rm(dir, { force: true, recursive: true });
}

async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

/** Decides by the names in it, including a directory for PostgreSQL. */
async function holdsSockets(folder: string): Promise<boolean> {
  if (!fits(join(folder, 'postgres', POSTGRES_SOCKET))) return false;
  const server = createServer();
  try {
    await once(server.listen(join(folder, 'probe.sock')), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= LONGEST_PATH;
}
