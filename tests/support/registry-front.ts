/**
 * A proxy in front of a registry that throttles its blobs, so that a pull can be watched, or
 * refuses uploads.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { slowness } from '@portcullis/testing';

export interface RegistryFront {
  host: string;
  /** As registries answer during maintenance. */
  readOnly: boolean;
  /** Applies to each blob that is read, including running downloads. */
  bytesPerSecond: number;
  /** Downloads of blobs that began, and their bytes so far. */
  readonly sent: { downloads: number; bytes: number };
  stop(): Promise<void>;
}

export async function registryFront(
  origin: string,
  bytesPerSecond = Number.POSITIVE_INFINITY,
): Promise<RegistryFront> {
  const server = createServer((incoming, outgoing) =>
    front.readOnly && !READING.has(incoming.method ?? '')
      ? refuse(outgoing)
      : forward(origin, front, incoming, outgoing),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const front: RegistryFront = {
    host: `127.0.0.1:${port}`,
    readOnly: false,
    bytesPerSecond,
    sent: { downloads: 0, bytes: 0 },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return front;
}

const READING = new Set(['GET', 'HEAD']);

function refuse(outgoing: ServerResponse): void {
  const errors = [{ code: 'DENIED', message: 'The system is in read only mode.' }];
  outgoing.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ errors }));
}

function forward(
  origin: string,
  front: RegistryFront,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { method, url = '/', headers } = incoming;
  const target = request(new URL(url, origin), { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    const isBlob = method === 'GET' && url.includes('/blobs/');
    (isBlob ? answer.pipe(trickle(front)) : answer).pipe(outgoing);
  });
  target.on('error', () => outgoing.destroy());
  outgoing.on('close', () => target.destroy());
  incoming.pipe(target);
}

function trickle(front: RegistryFront): Transform {
  front.sent.downloads++;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      front.sent.bytes += chunk.length;
      const ms = (chunk.length / front.bytesPerSecond) * 1000;
      void slowness(ms).then(() => done(null, chunk));
    },
  });
}
