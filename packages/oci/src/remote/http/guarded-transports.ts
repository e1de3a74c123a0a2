/** SSRF-guarded transports of a process, by the trust in the account that names the host. */
import { createAddressGuard } from './guard.ts';
import { endpointsOf, type GuardedLookup, guardedLookup, type Lookup } from './lookup.ts';
import { hostOf, portOf } from './proxy.ts';
import { createTransport, type Transport, type TransportOptions } from './transport.ts';

export interface GuardedTransports {
  /**
   * For one internal registry and its blob storage only: not guarded, and never through a proxy.
   */
  internal: Transport;
  /** For hosts named by an account; private addresses only if `privateAllowed`. */
  external(privateAllowed: boolean): Transport;
  /**
   * Checks an address of `external(false)` before it is used, as far as it can be resolved now.
   * @throws forbidden `EGRESS_*`
   */
  check(url: URL): Promise<void>;
  close(): Promise<void>;
}

export interface GuardedTransportOptions {
  /** URLs of internal services, which must not be reachable through the guarded transports. */
  own: readonly string[];
  /** Unix socket of the internal registry, if it listens on one. */
  internalSocket?: TransportOptions['socket'];
  allow: readonly string[];
  deny: readonly string[];
  /** Origins that the internal registry may redirect blob reads to; none if not given. */
  storeOrigins?: readonly string[];
  /** Called for every connection, because the settings may change at run time. */
  proxy: NonNullable<Extract<TransportOptions['proxy'], () => unknown>>;
  transport: Omit<TransportOptions, 'guard' | 'proxy' | 'lookup'>;
  lookup?: Lookup | undefined;
}

/** @throws RangeError on an invalid entry in `allow` or `deny` */
export async function createGuardedTransports({
  own,
  internalSocket,
  allow,
  deny,
  storeOrigins = [],
  proxy,
  transport,
  lookup,
}: GuardedTransportOptions): Promise<GuardedTransports> {
  const lists = { allow, deny, own: await endpointsOf(own.map(endpointOf), lookup) };
  const dialling = { ...transport, ...(lookup && { lookup }) };
  const guardTransport = (privateAllowed: boolean) =>
    createTransport({
      ...dialling,
      proxy,
      guard: createAddressGuard({ ...lists, privateAllowed }),
    });
  const internal = createTransport({
    ...dialling,
    redirectOrigins: storeOrigins,
    socket: internalSocket,
  });
  const [vouched, strangers] = [guardTransport(true), guardTransport(false)];
  const { check } = guardedLookup(createAddressGuard({ ...lists, privateAllowed: false }), lookup);
  return {
    internal,
    external: (privateAllowed) => (privateAllowed ? vouched : strangers),
    check: (url) => check(hostOf(url), portOf(url)),
    async close() {
      for (const each of [internal, vouched, strangers]) each.close();
      await transport.movers?.close();
    },
  };
}

/**
 * Guarded lookup for hosts from administrator settings that use other protocols than HTTP, such as
 * a mail server: private addresses are allowed, internal services and link-local and metadata
 * addresses are not.
 * @param own URLs of internal services
 */
export async function createGuardedResolver(
  own: readonly string[],
  lookup?: Lookup,
): Promise<GuardedLookup['resolve']> {
  const guard = createAddressGuard({
    own: await endpointsOf(own.map(endpointOf), lookup),
    privateAllowed: true,
  });
  return guardedLookup(guard, lookup).resolve;
}

const DEFAULT_PORTS: Record<string, string> = {
  'postgres:': '5432',
  'postgresql:': '5432',
  'redis:': '6379',
  'rediss:': '6379',
  'http:': '80',
  'https:': '443',
};

/** The `host:port` of a service URL. */
function endpointOf(text: string): string {
  const { protocol, hostname, port } = new URL(text);
  return `${hostname}:${port || DEFAULT_PORTS[protocol]}`;
}
