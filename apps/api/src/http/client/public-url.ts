import type { Request } from 'express';

/**
 * The address for clients without a trailing slash: the configured one, or the host of this
 * request.
 */
export function publicUrlOf(request: Request, configured: string | null): string {
  return configured ?? requestOrigin(request);
}

/** Scheme, host and port as the client used them, as far as trusted proxies say so. */
function requestOrigin(request: Request): string {
  const { protocol, host } = request;
  return `${protocol}://${withPort(host, protocol, forwardedPort(request))}`;
}

/** Of a proxy that Express trusts; of several in the header, the client's is the first. */
function forwardedPort({ app, socket, headers }: Request): string | null {
  const trusts: unknown = app.get('trust proxy fn');
  const isTrusted = typeof trusts === 'function' && trusts(socket.remoteAddress, 0) === true;
  const given = headers['x-forwarded-port'];
  const [first = ''] = String(given ?? '').split(',');
  const port = first.trim();
  return isTrusted && /^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535 ? port : null;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** A port in the host itself is the one that the client used. */
function withPort(host: string, protocol: string, port: string | null): string {
  if (port === null || port === DEFAULT_PORTS[protocol] || /:\d+$/.test(host)) return host;
  return `${host}:${port}`;
}

/** Whether clients use TLS. */
export function isSecure(
  { protocol }: Pick<Request, 'protocol'>,
  configured: string | null,
): boolean {
  return configured === null ? protocol === 'https' : configured.startsWith('https:');
}
