import type { Request } from 'express';

/**
 * The address for clients without a trailing slash: the configured one, or the host of this
 * request.
 */
export function publicUrlOf(request: Request, configured: string | null): string {
  return configured ?? `${request.protocol}://${request.host}`;
}

/** Whether clients use TLS. */
export function isSecure(
  { protocol }: Pick<Request, 'protocol'>,
  configured: string | null,
): boolean {
  return configured === null ? protocol === 'https' : configured.startsWith('https:');
}
