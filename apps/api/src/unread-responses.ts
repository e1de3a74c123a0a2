/**
 * Closes connections whose client takes nothing of a response, and those with many requests at once
 * (HTTP/1.1 pipelining, RFC 9112 § 9.3.2): each response in progress holds buffers, and a file or a
 * connection to the registry.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Two windows without progress end a connection. */
const WINDOW_MS = 60_000;
/** No client of registries pipelines, and browsers do not either. */
const MOST_AT_ONCE = 4;

export function endUnreadResponses(server: Server, windowMs = WINDOW_MS): void {
  const sweep = setInterval(unreadResponseSweep(server), windowMs);
  sweep.unref();
  server.once('close', () => clearInterval(sweep));
}

/** @returns a function that closes connections that took nothing since its previous call */
export function unreadResponseSweep(server: Server): () => void {
  const open = new Map<Socket, Set<ServerResponse>>();
  const written = new Map<Socket, number>();

  server.on('request', ({ socket }, response) => {
    const responses = open.get(socket) ?? new Set();
    open.set(socket, responses.add(response));
    if (responses.size > MOST_AT_ONCE) return void socket.destroy();
    response.once('close', () => {
      responses.delete(response);
      if (responses.size > 0) return;
      open.delete(socket);
      written.delete(socket);
    });
  });

  return () => {
    for (const socket of open.keys()) {
      // Without waiting bytes the delay is ours, as in a stream of events.
      const isStuck = socket.writableLength > 0 && written.get(socket) === socket.bytesWritten;
      if (isStuck) socket.destroy();
      else written.set(socket, socket.bytesWritten);
    }
  };
}
