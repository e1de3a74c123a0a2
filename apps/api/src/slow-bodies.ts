/**
 * Closes connections whose request body arrives below a minimum rate. Node can only limit the
 * duration of a whole request, and a layer of many gigabytes may take hours.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { holdsBodyBack } from './http/expect-continue.ts';

export interface BodyRate {
  windowMs: number;
  /** Bytes that must arrive in a window. */
  leastBytes: number;
}

/** 68 bytes per second: too slow for any push to succeed. */
const BODY_RATE: BodyRate = { windowMs: 60_000, leastBytes: 4096 };

interface Receiving {
  response: ServerResponse;
  /** The connection's bytes one window ago; null in the first window, which may be shorter. */
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

/** @returns a function that closes connections that received less since its previous call */
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
  // Received bytes that we have not read are our delay, and so is a 100 that we have not sent.
  if (bytes === null || request.readableLength > 0 || holdsBodyBack(request)) return false;
  return request.socket.bytesRead - bytes < leastBytes;
}

/** The same reply as Node's when headers take too long. */
function end({ socket }: IncomingMessage, { headersSent }: ServerResponse): void {
  if (!headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroy();
}
