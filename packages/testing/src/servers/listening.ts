import { readdir, readFile, readlink } from 'node:fs/promises';

const LISTEN = '0A';

/** Lists the TCP addresses on which a process listens, as `address:port`. */
export async function listeningOf(pid: number): Promise<string[]> {
  const own = await socketsOf(pid);
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((table) => readFile(`/proc/${pid}/net/${table}`, 'utf8')),
  );
  const rows = tables
    .flatMap((text) => text.trim().split('\n').slice(1))
    .map((row) => row.trim().split(/\s+/));
  return rows
    .filter(([, , , state, , , , , , inode]) => state === LISTEN && own.has(inode ?? ''))
    .map(placeOf);
}

async function socketsOf(pid: number): Promise<Set<string>> {
  const links = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) =>
      readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''),
    ),
  );
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

/** The kernel writes words of four bytes, lowest byte first. */
function placeOf([, local = '']: string[]): string {
  const [address = '', port = ''] = local.split(':');
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).reverse(),
  );
  const text =
    bytes.length === 4
      ? bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
      : `[${bytes.join('')}]`;
  return `${text}:${Number.parseInt(port, 16)}`;
}
