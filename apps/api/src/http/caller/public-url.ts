import type { Request } from 'express';

/** Where clients reach us, without a trailing slash: as configured, or as this client did. */
export function publicUrlOf(request: Request, configured: string | null): string {
  return configured ?? `${request.protocol}://${request.host}`;
}
