/** Listens for HTTP, with limits for slow and idle clients and a graceful stop. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { postponeContinue } from './http/expect-continue.ts';
import { endSlowBodies } from './slow-bodies.ts';
import { endUnreadResponses } from './unread-responses.ts';

export interface Listening {
  port: number;
  /** Waits up to `graceMs` for running requests; idle connections are closed at once. */
  stop(graceMs: number): Promise<void>;
}

const SWEEP_MS = 50;

/**
 * There is no limit on the whole request, because layers of many gigabytes pass; slow-bodies.ts
 * sets a minimum rate.
 */
export async function listen(server: Server, port: number, host: string): Promise<Listening> {
  server.requestTimeout = 0;
  server.headersTimeout = 30_000;
  // Longer than the idle timeout of common load balancers, so that they close first.
  server.keepAliveTimeout = 75_000;
  postponeContinue(server);
  endSlowBodies(server);
  endUnreadResponses(server);
  const unused = trackUnused(server);
  server.listen(port, host);
  await once(server, 'listening');
  return { port: portOf(server), stop: (graceMs) => stop(server, unused, graceMs) };
}

/** Tracks connections without a request yet; Node does not count them as idle. */
function trackUnused(server: Server): Set<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return unused;
}

async function stop(server: Server, unused: Set<Socket>, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const socket of unused) socket.destroy();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const end = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server listens on no port');
  return address.port;
}
