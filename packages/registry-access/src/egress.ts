/** The transports for outgoing requests, with an SSRF guard that depends on who named the host. */
import { type ProxySettings, proxyVariables } from '@portcullis/domain';
import {
  guardedHosts,
  openWaysOut,
  type Transport,
  type WaysOutOptions,
} from '@portcullis/oci/remote';
import type { Trust } from './trust.ts';

export interface EgressOptions {
  /** URLs of our own services that listen on the network; no request of an account reaches them. */
  ownServices: string[];
  /** The built-in registry's Unix socket, if it listens on one. */
  innerSocket?: WaysOutOptions['innerSocket'];
  allow: string[];
  deny: string[];
  /** Origins that the built-in registry may redirect blob downloads to. */
  storeOrigins?: readonly string[];
  /** Read at every connection, because it may change while the process runs. */
  proxy(): ProxySettings;
  transport: WaysOutOptions['transport'];
}

export interface Egress {
  /** For hosts that an account names; an administrator's may have private addresses. */
  for(account: Trust): Transport;
  /** For hosts that the operator's settings name. */
  configured: Transport;
  /** Resolves a mail server or syslog collector that an administrator named. */
  resolve: Awaited<ReturnType<typeof guardedHosts>>;
  /** For the built-in registry and its store, and nothing else. */
  inner: Transport;
  close(): Promise<void>;
}

export async function openEgress({
  ownServices,
  innerSocket,
  allow,
  deny,
  storeOrigins,
  proxy,
  transport,
}: EgressOptions): Promise<Egress> {
  const transports = await openWaysOut({
    own: ownServices,
    innerSocket,
    allow,
    deny,
    ...(storeOrigins && { storeOrigins }),
    proxy: () => proxyVariables(proxy()),
    transport,
  });
  return {
    for: ({ isAdmin }) => transports.outer(isAdmin),
    configured: transports.outer(true),
    resolve: await guardedHosts(ownServices),
    inner: transports.inner,
    close: transports.close,
  };
}
