/**
 * Whether a registry was seen to mount. One that does tells with one request whether a repository has a blob, and begins
 * the upload where it hasn't: by being asked to mount the blob from the very repository it is for (distribution spec
 * § Mounting a blob from another repository: 201, or 202 with a session). Of others nothing is assumed.
 */
import type { EndpointOptions } from './endpoint.ts';
import type { Transport } from './http/transport.ts';

export interface MountSupport {
  any(): boolean;
  one(): void;
  /** It answered neither way. */
  none(): void;
}

const registries = new WeakMap<Transport, Set<string>>();

export function mountSupport({
  transport,
  host,
}: Pick<EndpointOptions, 'transport' | 'host'>): MountSupport {
  const hosts = registries.get(transport) ?? new Set();
  registries.set(transport, hosts);
  return {
    any: () => hosts.has(host),
    one: () => void hosts.add(host),
    none: () => void hosts.delete(host),
  };
}
