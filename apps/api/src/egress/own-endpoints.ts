import { networkInterfaces } from 'node:os';
import { type Endpoint, foldAddress, normaliseHost } from '@portcullis/domain';

/** Where clients reach us: the public URL, the inner registry, and each address of this machine at our port. */
export function ownEndpoints(urls: string[], port: number): Endpoint[] {
  const named = urls.map(endpointOf);
  const here = ['localhost', ...addressesHere()].map((host) => ({ host, port }));
  return [...named.filter((endpoint) => endpoint !== null), ...here];
}

function endpointOf(url: string): Endpoint | null {
  const { host, port, protocol } = new URL(url);
  const endpoint = normaliseHost(host);
  const usual = protocol === 'https:' ? 443 : 80;
  return endpoint && { host: endpoint.host, port: port === '' ? usual : Number(port) };
}

function addressesHere(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.map(({ address }) => foldAddress(address));
}
