/** The three ways out: to our own registry, to hosts an admin vouches for, to hosts that any account names. */
import { type ProxySettings, proxyVariables } from '@portcullis/domain';
import { createAddressGuard, createTransport, endpointsOf, type Transport } from '@portcullis/oci/remote';
import type { Logger } from '@portcullis/runtime';
import type { WorkerConfig } from './config.ts';

export interface Transports {
  inner: Transport;
  outer(privateAllowed: boolean): Transport;
  close(): Promise<void>;
}

type Settings = Pick<
  WorkerConfig,
  'DATABASE_URL' | 'REDIS_URL' | 'REGISTRY_URL' | 'EGRESS_ALLOW' | 'EGRESS_DENY' | 'MAX_PER_HOST'
>;

/** `proxy` is asked at every connection: it may change while the process runs. */
export async function openTransports(
  config: Settings,
  { proxy, log }: { proxy(): ProxySettings; log: Logger },
): Promise<Transports> {
  const { MAX_PER_HOST: maxPerHost } = config;
  const own = await endpointsOf(
    [config.DATABASE_URL, config.REDIS_URL, config.REGISTRY_URL].map(hostAndPort),
  );
  const lists = { allow: config.EGRESS_ALLOW, deny: config.EGRESS_DENY, own };
  const open = (privateAllowed: boolean) =>
    createTransport({
      guard: createAddressGuard({ ...lists, privateAllowed }),
      proxy: () => proxyVariables(proxy()),
      maxPerHost,
      log,
    });
  const inner = createTransport({ maxPerHost, log });
  const [vouched, strangers] = [open(true), open(false)];
  return {
    inner,
    outer: (privateAllowed) => (privateAllowed ? vouched : strangers),
    close: async () => void (await Promise.all([inner, vouched, strangers].map((each) => each.close()))),
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
