/** Resolves a name, has every address judged, and gives back the addresses to connect to: nothing resolves again. */
import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { type AppError, forbidden, unavailable } from '@portcullis/errors';
import type { AddressGuard } from './guard.ts';

export type Lookup = (hostname: string) => Promise<LookupAddress[]>;

export interface GuardedLookup {
  /** Addresses to pin. @throws forbidden `EGRESS_*`, unavailable `HOST_UNRESOLVED` */
  resolve(host: string, port: number): Promise<LookupAddress[]>;
  /** For a name a proxy will resolve: checked as far as it can be here. @throws forbidden `EGRESS_*` */
  check(host: string, port: number): Promise<void>;
}

export function systemLookup(hostname: string): Promise<LookupAddress[]> {
  return dns.lookup(hostname, { all: true });
}

export function guardedLookup(
  guard: AddressGuard | undefined,
  lookup: Lookup = systemLookup,
): GuardedLookup {
  const assertAllowed = (host: string, port: number, ip: string | undefined) => {
    const decision = guard?.({ ip, port, host });
    if (decision && !decision.allowed) throw refused(host, decision.code, decision.reason);
  };
  return {
    async resolve(host, port) {
      const addresses = await addressesOf(host, lookup);
      for (const { address } of addresses) assertAllowed(host, port, address);
      return addresses;
    },
    async check(host, port) {
      const addresses = await addressesOf(host, lookup).catch((): LookupAddress[] => []);
      assertAllowed(host, port, undefined);
      for (const { address } of addresses) assertAllowed(host, port, address);
    },
  };
}

/**
 * The addresses behind our own services' names, for `createAddressGuard({own})`: a service must not be reachable by
 * its address either. Names that don't resolve stay as names.
 */
export async function endpointsOf(
  own: readonly string[],
  lookup: Lookup = systemLookup,
): Promise<string[]> {
  const expanded = await Promise.all(own.map((entry) => expand(entry, lookup)));
  return [...new Set(expanded.flat())];
}

async function expand(entry: string, lookup: Lookup): Promise<string[]> {
  const url = URL.parse(`http://${entry}`);
  if (!url) return [entry];
  const port = url.port === '' ? '' : `:${url.port}`;
  const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ''), lookup).catch(() => []);
  return [
    entry,
    ...addresses.map(({ address, family }) => `${family === 6 ? `[${address}]` : address}${port}`),
  ];
}

async function addressesOf(host: string, lookup: Lookup): Promise<LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const addresses = await lookup(host).catch((cause: unknown) => {
    throw unresolved(host, cause);
  });
  if (addresses.length === 0) throw unresolved(host, undefined);
  return addresses;
}

function unresolved(host: string, cause: unknown): AppError {
  return unavailable('HOST_UNRESOLVED', `the host ${host} has no address`, {
    cause,
    detail: { host },
  });
}

function refused(host: string, code: string, reason: string): AppError {
  return forbidden(code, `a connection to ${host} is not allowed: ${reason}`, { detail: { host } });
}
