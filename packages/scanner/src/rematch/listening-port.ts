/**
 * The loopback port that a process listens on, from Linux' table of sockets. Trivy's server is told
 * to take any free port and does not say which. A port that we had chosen could be taken by another
 * account of the host before the server has it, and that account would receive our requests.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';

/** Null where it does not listen yet, or has ended. */
export async function listeningPort(pid: number): Promise<number | null> {
  const sockets = await socketsOf(pid);
  const table = await readFile(`/proc/${pid}/net/tcp`, 'utf8').catch(() => '');
  for (const line of table.split('\n').slice(1)) {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address, port = ''] = local.split(':');
    if (state === LISTEN && address === LOOPBACK && sockets.has(inode))
      return Number.parseInt(port, 16);
  }
  return null;
}

const LISTEN = '0A';
/** 127.0.0.1 in the byte order of x86 and ARM. */
const LOOPBACK = '0100007F';

/** The inodes of its sockets. */
async function socketsOf(pid: number): Promise<Set<string>> {
  const dir = `/proc/${pid}/fd`;
  const names = await readdir(dir).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${dir}/${name}`).catch(() => '')));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}
