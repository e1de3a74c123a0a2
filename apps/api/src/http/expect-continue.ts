/**
 * `Expect: 100-continue` (RFC 9110 § 10.1.1): the client waits with its body until it hears that it
 * is wanted. Node would say so before any credential is looked at; here the handler says it, when
 * it is about to read the body.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const waiting = new WeakSet<IncomingMessage>();

export function postponeContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.add(request);
    server.emit('request', request, response);
  });
}

/** To be called before the body is read; does nothing for a client that doesn't wait. */
export function wantBody(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}

/**
 * Whether the client still holds its body back: it may send it or not, so that the connection can't
 * go on.
 */
export function holdsBodyBack(request: IncomingMessage): boolean {
  return waiting.has(request);
}
