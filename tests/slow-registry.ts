/** In front of a registry: the same, but its blobs trickle, so that somebody can watch a pull. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';

export interface SlowRegistry {
  host: string;
  stop(): Promise<void>;
}

export async function slowRegistry(origin: string, bytesPerSecond: number): Promise<SlowRegistry> {
  const server = createServer((incoming, outgoing) => forward(origin, bytesPerSecond, incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function forward(origin: string, rate: number, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url = '/', headers } = incoming;
  const target = request(new URL(url, origin), { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    (url.includes('/blobs/') ? answer.pipe(trickle(rate)) : answer).pipe(outgoing);
  });
  target.on('error', () => outgoing.destroy());
  outgoing.on('close', () => target.destroy());
  incoming.pipe(target);
}

function trickle(bytesPerSecond: number): Transform {
  return new Transform({
    transform(chunk: Buffer, _, done) {
      setTimeout(done, (chunk.length / bytesPerSecond) * 1000, null, chunk);
    },
  });
}
