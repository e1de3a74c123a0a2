/**
 * Unix sockets in URLs. The host of such a URL is the percent-encoded path, as in PostgreSQL's
 * connection URIs: an absolute path begins with `%2F`, which no host name does.
 */

/** The path of the socket; null where the URL names a host. */
export function socketOf(url: URL | string): string | null {
  const { hostname } = new URL(url);
  if (!/^%2f/i.test(hostname)) return null;
  try {
    return decodeURIComponent(hostname);
  } catch {
    return null;
  }
}

export function socketHost(path: string): string {
  return encodeURIComponent(path);
}
