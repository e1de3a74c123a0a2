import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { unavailable } from '@portcullis/errors';

/** Finds a free TCP port: `wanted` if it is free, else one that the system chooses. */
export async function freePort(wanted?: number, host = '127.0.0.1'): Promise<number> {
  if (wanted !== undefined && (await isFree(wanted, host))) return wanted;
  return probe(0, host);
}

export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return probe(port, host).then(
    () => true,
    () => false,
  );
}

function probe(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address !== null ? address.port : null;
      server.close(() =>
        taken === null ? reject(unavailable('NO_PORT', 'no free port')) : resolve(taken),
      );
    });
  });
}

const LISTENS = '0A';

/**
 * Whether this process has a listening socket of the port (proc(5)): where another one took the
 * port before, that one answers in its place.
 */
export async function listensOn(pid: number, port: number): Promise<boolean> {
  const own = await socketsOf(pid);
  const address = new RegExp(`:${port.toString(16).toUpperCase().padStart(4, '0')}$`);
  for (const table of ['tcp', 'tcp6']) {
    const lines = (await readFile(`/proc/${pid}/net/${table}`, 'utf8').catch(() => '')).split('\n');
    for (const line of lines) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      if (state === LISTENS && address.test(local) && own.has(`socket:[${inode}]`)) return true;
    }
  }
  return false;
}

async function socketsOf(pid: number): Promise<ReadonlySet<string>> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  return new Set(
    await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => ''))),
  );
}
