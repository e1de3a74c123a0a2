/** The guarded ways out of a process, by how far the asker is trusted: one rule for every dialler. */
import { createAddressGuard } from './guard.ts';
import { endpointsOf, type GuardedLookup, guardedLookup, type Lookup } from './lookup.ts';
import { createTransport, type Transport, type TransportOptions } from './transport.ts';

export interface GuardedTransports {
  /** To the built-in registry and its store, and nowhere else: neither guarded nor by a proxy. */
  internal: Transport;
  /** To hosts that an admin vouches for (private addresses, too), or to those that any account names. */
  external(privateAllowed: boolean): Transport;
  close(): Promise<void>;
}

export interface GuardedTransportOptions {
  /** URLs of our own internal services that lead over the network, which nobody may reach through us. */
  own: readonly string[];
  /** Of the built-in registry, where it listens on a Unix socket. */
  internalSocket?: TransportOptions['socket'];
  allow: readonly string[];
  deny: readonly string[];
  /** Where the built-in registry may send readers of blobs; nowhere else unless given. */
  storeOrigins?: readonly string[];
  /** Asked at every connection: it may change while the process runs. */
  proxy: NonNullable<Extract<TransportOptions['proxy'], () => unknown>>;
  transport: Omit<TransportOptions, 'guard' | 'proxy' | 'lookup'>;
  lookup?: Lookup | undefined;
}

/** @throws RangeError on an entry of a list that is none of the forms */
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
  const guarded = (privateAllowed: boolean) =>
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
  const [vouched, strangers] = [guarded(true), guarded(false)];
  return {
    internal,
    external: (privateAllowed) => (privateAllowed ? vouched : strangers),
    close: async () =>
      void (await Promise.all([internal, vouched, strangers].map((each) => each.close()))),
  };
}

/**
 * For hosts of an administrator's settings that are reached by other protocols than HTTP, such as a mail server: private
 * networks are open, our own services and link-local and metadata addresses are not.
 * @param own URLs of our own internal services that lead over the network
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

/** `host:port` of a service's URL. */
function endpointOf(text: string): string {
  const { protocol, hostname, port } = new URL(text);
  return `${hostname}:${port || DEFAULT_PORTS[protocol]}`;
}
