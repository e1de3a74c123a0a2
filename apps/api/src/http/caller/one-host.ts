/**
 * Two `Host` headers (RFC 9112 § 3.2): Node takes the first one, a proxy in front may have taken
 * the other.
 */
import type { RequestHandler } from 'express';

export const oneHost: RequestHandler = ({ headersDistinct }, response, next) => {
  if ((headersDistinct.host?.length ?? 0) <= 1) return next();
  response.status(400).set('Connection', 'close').end();
};
