/** The transports for outgoing requests, with an SSRF guard that depends on who named the host. */
import { type ProxySettings, proxyVariables } from '@portcullis/domain';
import { CLIENT_IDENTITY } from '@portcullis/local-registry';
import {
  createGuardedResolver,
  createGuardedTransports,
  type GuardedTransportOptions,
  type Transport,
} from '@portcullis/oci/remote';
import type { Trust } from './trust.ts';

export interface EgressOptions {
  /** URLs of our own services that listen on the network; no request of an account reaches them. */
  ownServices: string[];
  /** The built-in registry's Unix socket, if it listens on one. */
  innerSocket?: GuardedTransportOptions['internalSocket'];
  allow: string[];
  deny: string[];
  /** Origins that the built-in registry may redirect blob downloads to. */
  storeOrigins?: readonly string[];
  /** Read at every connection, because it may change while the process runs. */
  proxy(): ProxySettings;
  transport: GuardedTransportOptions['transport'];
}

export interface Egress {
  /** For hosts that an account names; an administrator's may have private addresses. */
  for(account: Trust): Transport;
  /**
   * Checks an address that webhooks will be sent to; administrators may not name private ones
   * either. @throws forbidden `EGRESS_*`
   */
  checkWebhook(url: URL): Promise<void>;
  /** For hosts that the operator's settings name. */
  configured: Transport;
  /** Resolves a mail server or syslog collector that an administrator named. */
  resolve: Awaited<ReturnType<typeof createGuardedResolver>>;
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
  const transports = await createGuardedTransports({
    own: ownServices,
    internalSocket: innerSocket,
    allow,
    deny,
    ...(storeOrigins && { storeOrigins }),
    proxy: () => proxyVariables(proxy()),
    transport: { client: CLIENT_IDENTITY, ...transport },
  });
  return {
    for: ({ isAdmin }) => transports.external(isAdmin),
    checkWebhook: transports.check,
    configured: transports.external(true),
    resolve: await createGuardedResolver(ownServices),
    inner: transports.internal,
    close: transports.close,
  };
}
