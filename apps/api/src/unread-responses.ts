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

interface Connection {
  /** Without those that ended before the newest request. */
  responses: Set<ServerResponse>;
  /** The connection's bytes at the last sweep. */
  written: number | null;
}

/** @returns a function that closes connections that took nothing since its previous call */
export function unreadResponseSweep(server: Server): () => void {
  const open = new Map<Socket, Connection>();

  server.on('connection', (socket) => {
    open.set(socket, { responses: new Set(), written: null });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const responses = open.get(socket)?.responses ?? new Set();
    for (const each of responses) if (each.writableFinished) responses.delete(each);
    if (responses.add(response).size > MOST_AT_ONCE) socket.destroy();
  });

  return () => {
    for (const [socket, connection] of open) {
      const { bytesWritten: written, writableLength } = socket;
      // Without waiting bytes the delay is ours, as in a stream of events.
      if (writableLength > 0 && connection.written === written) socket.destroy();
      connection.written = written;
    }
  };
}
