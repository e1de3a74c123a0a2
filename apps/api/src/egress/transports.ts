/** The SSRF-guarded transports for outgoing requests, one for each level of trust in the account that asks. */
import { type ProxySettings, proxyVariables } from '@portcullis/domain';
import {
  guardedHosts,
  openWaysOut,
  type Transport,
  type WaysOutOptions,
} from '@portcullis/oci/remote';
import type { Logger } from '@portcullis/runtime';

export interface EgressOptions {
  /** URLs of our own inner services that lead over the network, which nobody may reach through us. */
  inner: string[];
  /** Of the built-in registry, where it listens on a Unix socket. */
  innerSocket?: WaysOutOptions['innerSocket'];
  allow: string[];
  deny: string[];
  /** Where the built-in registry may send readers of blobs. */
  storeOrigins?: readonly string[];
  /** Asked at every connection: it may change while the process runs. */
  proxy(): ProxySettings;
  log: Logger;
}

export interface Egress {
  /** To hosts an account names: an admin reaches private addresses, too. */
  for(asker: { isAdmin: boolean }): Transport;
  /** To what the operator's own settings name. */
  configured: Transport;
  /** Where a mail server or a syslog collector is that an administrator named. */
  resolve: Awaited<ReturnType<typeof guardedHosts>>;
  /** To the built-in registry and its store, and nowhere else. */
  inner: Transport;
  close(): Promise<void>;
}

/** Somebody waits for the answer. */
const TRANSPORT = { retries: 1, connectTimeoutMs: 3_000, pace: { silenceMs: 15_000 } };

export async function openEgress({
  inner,
  innerSocket,
  allow,
  deny,
  storeOrigins,
  proxy,
  log,
}: EgressOptions): Promise<Egress> {
  const ways = await openWaysOut({
    own: inner,
    innerSocket,
    allow,
    deny,
    ...(storeOrigins && { storeOrigins }),
    proxy: () => proxyVariables(proxy()),
    transport: { ...TRANSPORT, log },
  });
  return {
    for: ({ isAdmin }) => ways.outer(isAdmin),
    configured: ways.outer(true),
    resolve: await guardedHosts(inner),
    inner: ways.inner,
    close: ways.close,
  };
}
