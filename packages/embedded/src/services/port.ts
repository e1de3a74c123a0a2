import { createServer } from 'node:net';
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
