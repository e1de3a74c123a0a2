/** The guarded ways out, by how far the asker is trusted (decisions.md § Access, rule 7). */
import { type ProxySettings, proxyVariables } from '@portcullis/domain';
import { createAddressGuard, createTransport, endpointsOf, type Transport } from '@portcullis/oci/remote';
import type { Logger } from '@portcullis/runtime';

export interface EgressOptions {
  /** URLs of our own inner services, which nobody may reach through us. */
  inner: string[];
  allow: string[];
  deny: string[];
  /** Asked at every connection: it may change while the process runs. */
  proxy(): ProxySettings;
  log: Logger;
}

export interface Egress {
  /** To hosts an account names: an admin reaches private addresses, too. */
  for(asker: { isAdmin: boolean }): Transport;
  /** To what the operator's own settings name. */
  configured: Transport;
  /** To the built-in registry, and nowhere else. */
  inner: Transport;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 3_000;

export async function openEgress({ inner, allow, deny, proxy, log }: EgressOptions): Promise<Egress> {
  const own = await endpointsOf(inner.map(hostAndPort));
  const open = (privateAllowed: boolean) =>
    createTransport({
      guard: createAddressGuard({ allow, deny, own, privateAllowed }),
      proxy: () => proxyVariables(proxy()),
      retries: 1,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      idleTimeoutMs: 15_000,
      log,
    });
  const [vouched, strangers] = [open(true), open(false)];
  const innermost = createTransport({
    retries: 1,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    idleTimeoutMs: 15_000,
    log,
  });
  return {
    for: ({ isAdmin }) => (isAdmin ? vouched : strangers),
    configured: vouched,
    inner: innermost,
    close() {
      innermost.close();
      vouched.close();
      strangers.close();
    },
  };
}

const DEFAULT_PORTS: Record<string, string> = {
  'postgres:': '5432',
  'postgresql:': '5432',
  'redis:': '6379',
  'rediss:': '6379',
  'http:': '80',
  'https:': '443',
};

function hostAndPort(text: string): string {
  const { protocol, hostname, port } = new URL(text);
  return `${hostname}:${port || DEFAULT_PORTS[protocol]}`;
}
