/** Where a collector is: its addresses are judged before anything is sent, and what was judged is what is connected to. */
import type { LookupFunction } from 'node:net';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** At least one address. @throws forbidden when one of them may not be reached, unavailable when there is none */
export type Resolve = (host: string, port: number) => Promise<ResolvedAddress[]>;

/** For `net.connect`, so that the name is not looked up a second time. */
export function pinned(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
}
