/**
 * Refuses two `Host` headers (RFC 9112 § 3.2): Node uses the first one, and a proxy in front may
 * have used the other.
 */
import type { RequestHandler } from 'express';

export const oneHost: RequestHandler = ({ rawHeaders }, response, next) => {
  if (hosts(rawHeaders) <= 1) return next();
  response.status(400).set('Connection', 'close').end();
};

/** @param headers names and values in turn */
function hosts(headers: readonly string[]): number {
  let count = 0;
  for (let nth = 0; nth < headers.length; nth += 2)
    if (headers[nth]?.length === 4 && headers[nth]?.toLowerCase() === 'host') count += 1;
  return count;
}
