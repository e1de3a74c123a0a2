import { once } from 'node:events';
import type { Server } from 'node:http';

/** Layers of many gigabytes pass through: a request may last as long as it moves. */
export async function startServer(
  server: Server,
  port: number,
  host: string,
): Promise<ReturnType<Server['address']>> {
  server.requestTimeout = 0;
  server.headersTimeout = 30_000;
  // Longer than the idle time of the usual load balancers, so that they close first.
  server.keepAliveTimeout = 75_000;
  server.listen(port, host);
  await once(server, 'listening');
  return server.address();
}

const SWEEP_MS = 50;

/** Lets running requests end for `graceMs`; what is idle, or becomes so, is closed at once. */
export async function stopServer(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const end = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}
