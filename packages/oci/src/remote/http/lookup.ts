/**
 * DNS lookup with the SSRF guard: resolves a name once, checks every address and returns those to
 * connect to.
 */
import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { forbidden, type OciError, unavailable } from '../../oci-error.ts';
import type { AddressGuard } from './guard.ts';

export type Lookup = (hostname: string) => Promise<LookupAddress[]>;

export interface GuardedLookup {
  /**
   * Returns the addresses to connect to.
   * @throws forbidden `EGRESS_*`, unavailable `HOST_UNRESOLVED`
   */
  resolve(host: string, port: number): Promise<LookupAddress[]>;
  /**
   * Checks a name that a proxy will resolve, as far as possible here.
   * @throws forbidden `EGRESS_*`
   */
  check(host: string, port: number): Promise<void>;
}

function systemLookup(hostname: string): Promise<LookupAddress[]> {
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
 * Adds the addresses of internal services to their names, for `createAddressGuard({own})`: they
 * must not be reachable by address either. Names that cannot be resolved are kept.
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

function unresolved(host: string, cause: unknown): OciError {
  return unavailable('HOST_UNRESOLVED', `the host ${host} has no address`, {
    cause,
    detail: { host },
  });
}

function refused(host: string, code: string, reason: string): OciError {
  return forbidden(code, `a connection to ${host} is not allowed: ${reason}`, { detail: { host } });
}
