/**
 * Ends connections that send the body of a request so slowly that they only hold it open. What Node
 * can bound is the whole time of a request, and a layer of many gigabytes may take hours; this is a
 * least rate instead.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { holdsBodyBack } from './http/expect-continue.ts';

export interface BodyRate {
  windowMs: number;
  /** That must come within a window. */
  leastBytes: number;
}

/** 68 bytes a second: less than any line that a push could succeed on. */
const BODY_RATE: BodyRate = { windowMs: 60_000, leastBytes: 4096 };

interface Receiving {
  response: ServerResponse;
  /** Of the connection, a window ago; null in the first one, which may have been shorter. */
  bytes: number | null;
}

export function endSlowBodies(
  server: Server,
  { windowMs, leastBytes }: BodyRate = BODY_RATE,
): void {
  const sweep = setInterval(slowBodySweep(server, leastBytes), windowMs);
  sweep.unref();
  server.once('close', () => clearInterval(sweep));
}

/** @returns ends, each time it is called, what sent less than that since the last time */
export function slowBodySweep(server: Server, leastBytes: number): () => void {
  const receiving = new Map<IncomingMessage, Receiving>();
  server.on('request', (request, response) => {
    if (hasBody(request)) receiving.set(request, { response, bytes: null });
  });
  return () => {
    for (const [request, state] of receiving) {
      if (request.complete || request.socket.destroyed) receiving.delete(request);
      else if (isTooSlow(request, state, leastBytes)) end(request, state.response);
      else state.bytes = request.socket.bytesRead;
    }
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isTooSlow(request: IncomingMessage, { bytes }: Receiving, leastBytes: number): boolean {
  // What was received and not read yet waits for us, and so does a client that we didn't ask for
  // the body.
  if (bytes === null || request.readableLength > 0 || holdsBodyBack(request)) return false;
  return request.socket.bytesRead - bytes < leastBytes;
}

/** As Node ends a request whose headers take too long. */
function end({ socket }: IncomingMessage, { headersSent }: ServerResponse): void {
  if (!headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroy();
}
