/**
 * Remembers which registries support cross-repository mount, so that the existence check and the
 * upload start become one request: a mount of the blob from the target repository itself
 * (distribution spec § Mounting a blob from another repository) returns 201 if the blob exists and
 * 202 with an upload session if not.
 */
import type { EndpointOptions } from './endpoint.ts';
import type { Transport } from './http/transport.ts';

export interface MountSupport {
  isKnown(): boolean;
  confirm(): void;
  /** Called if the registry returned neither 201 nor a session. */
  forget(): void;
}

const registries = new WeakMap<Transport, Set<string>>();

export function mountSupport({
  transport,
  host,
}: Pick<EndpointOptions, 'transport' | 'host'>): MountSupport {
  const hosts = registries.get(transport) ?? new Set();
  registries.set(transport, hosts);
  return {
    isKnown: () => hosts.has(host),
    confirm: () => void hosts.add(host),
    forget: () => void hosts.delete(host),
  };
}
