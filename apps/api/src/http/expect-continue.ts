/**
 * `Expect: 100-continue` (RFC 9110 § 10.1.1): the client sends its body after a 100. Node would
 * answer 100 before the credential is checked; here the handler sends it when it begins to read the
 * body.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const waiting = new WeakSet<IncomingMessage>();

export function postponeContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.add(request);
    server.emit('request', request, response);
  });
}

/** Must be called before the body is read; does nothing for other requests. */
export function wantBody(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}

/**
 * Whether the client has not been sent a 100 yet. It may or may not send its body, so the
 * connection cannot be reused.
 */
export function holdsBodyBack(request: IncomingMessage): boolean {
  return waiting.has(request);
}
