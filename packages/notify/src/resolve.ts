/**
 * Resolves the host of a collector, checks its addresses against the egress rules, and pins them
 * for the connection.
 */
import type { LookupFunction } from 'node:net';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/**
 * At least one address. @throws forbidden where one of them is refused; unavailable where there is
 * none
 */
export type Resolve = (host: string, port: number) => Promise<ResolvedAddress[]>;

/** A `lookup` for `net.connect` that returns the checked addresses instead of resolving again. */
export function pinned(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
}
