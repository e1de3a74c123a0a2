/**
 * Refuses two `Host` headers (RFC 9112 § 3.2): Node uses the first one, and a proxy in front may
 * have used the other.
 */
import type { RequestHandler } from 'express';

export const oneHost: RequestHandler = ({ headersDistinct }, response, next) => {
  if ((headersDistinct.host?.length ?? 0) <= 1) return next();
  response.status(400).set('Connection', 'close').end();
};
