/**
 * Chooses the proxy of a request. Settings are passed in and not read from the environment, so they
 * can change.
 */
import ipaddr from 'ipaddr.js';

export interface ProxyEnv {
  HTTP_PROXY?: string | undefined;
  HTTPS_PROXY?: string | undefined;
  /** Comma-separated: `host`, `.suffix`, `*.suffix`, `host:port`, addresses, CIDRs, or `*`. */
  NO_PROXY?: string | undefined;
}

/** The proxy for a URL, or undefined for a direct connection. Throws on an invalid proxy URL. */
export function proxyFor(url: URL, env: ProxyEnv | undefined): URL | undefined {
  const text = url.protocol === 'https:' ? env?.HTTPS_PROXY : env?.HTTP_PROXY;
  if (!text || bypasses(url, env?.NO_PROXY ?? '')) return undefined;
  return new URL(text.includes('://') ? text : `http://${text}`);
}

/** `Proxy-Authorization` for the credentials in the proxy URL. */
export function proxyAuthorization(proxy: URL): string | undefined {
  if (proxy.username === '' && proxy.password === '') return undefined;
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function bypasses(url: URL, noProxy: string): boolean {
  const host = hostOf(url).replace(/\.$/, '');
  const port = portOf(url);
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
    .some((entry) => matchesEntry(entry, host, port));
}

function matchesEntry(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return matchesCidr(entry, host);
  const groups = /^(?<name>\[[^\]]+\]|[^:]+|[0-9a-f:]+)(?::(?<port>\d+))?$/.exec(entry)?.groups;
  if (!groups?.name || (groups.port !== undefined && Number(groups.port) !== port)) return false;
  const name = groups.name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
  return host === name || (!ipaddr.isValid(host) && host.endsWith(`.${name}`));
}

function matchesCidr(entry: string, host: string): boolean {
  if (!ipaddr.isValid(host) || !ipaddr.isValidCIDR(entry)) return false;
  const ip = ipaddr.process(host);
  const [network, bits] = ipaddr.parseCIDR(entry);
  return ip.kind() === network.kind() && ip.match(network, bits);
}

/** Host name without the brackets of an IPv6 address in a URL. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}
