import { forbidden } from '@portcullis/errors';
import type { Request } from 'express';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Prevents cross-site request forgery. A browser sends our cookie with requests that other sites
 * cause, and names their origin. Another site cannot set `Authorization`, and a request without an
 * `Origin` is not from a browser.
 * @throws forbidden `CROSS_ORIGIN`
 */
export function assertSameOrigin(request: Request, publicUrl: string): void {
  if (SAFE.has(request.method) || request.headers.authorization !== undefined) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  const foreignSite = typeof site === 'string' && site !== 'same-origin' && site !== 'none';
  const foreignOrigin =
    origin !== undefined && origin !== new URL(publicUrl).origin && origin !== ownOrigin(request);
  if (foreignOrigin || (origin === undefined && foreignSite)) {
    throw forbidden('CROSS_ORIGIN', 'This request comes from another site.');
  }
}

function ownOrigin(request: Request): string {
  return `${request.protocol}://${request.host}`;
}
