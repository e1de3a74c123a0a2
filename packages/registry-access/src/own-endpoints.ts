/** The hosts and ports at which clients reach this installation. */
import { networkInterfaces } from 'node:os';
import { type Endpoint, foldAddress, normaliseHost } from '@portcullis/domain';

/** The given URLs, and each address of this machine at our port. */
export function ownEndpoints(urls: string[], port: number): Endpoint[] {
  const named = urls.map(endpointOf);
  const here = ['localhost', ...localAddresses()].map((host) => ({ host, port }));
  return [...named.filter((endpoint) => endpoint !== null), ...here];
}

function endpointOf(url: string): Endpoint | null {
  const { host, port, protocol } = new URL(url);
  const endpoint = normaliseHost(host);
  const defaultPort = protocol === 'https:' ? 443 : 80;
  return endpoint && { host: endpoint.host, port: port === '' ? defaultPort : Number(port) };
}

function localAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.map(({ address }) => foldAddress(address));
}
