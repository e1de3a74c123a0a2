/** The hosts and ports at which clients reach this installation. */
import { networkInterfaces } from 'node:os';
import { foldAddress, type HostPort, normalizeHost } from '@portcullis/domain';

/** The given URLs, and each address of this machine at our port. */
export function ownEndpoints(urls: string[], port: number): HostPort[] {
  const named = urls.map(endpointOf);
  const here = ['localhost', ...localAddresses()].map((host) => ({ host, port }));
  return [...named.filter((endpoint) => endpoint !== null), ...here];
}

function endpointOf(url: string): HostPort | null {
  const { host, port, protocol } = new URL(url);
  const endpoint = normalizeHost(host);
  const defaultPort = protocol === 'https:' ? 443 : 80;
  return endpoint && { host: endpoint.host, port: port === '' ? defaultPort : Number(port) };
}

function localAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.map(({ address }) => foldAddress(address));
}
