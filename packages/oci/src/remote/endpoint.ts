/** Where a registry answers: its host, and whether it speaks TLS. */
import { isAppError } from '@portcullis/errors';
import { registryHost } from '../model/reference.ts';
import type { Trust } from './http/dial.ts';
import type { Transport } from './http/transport.ts';

/** `loopback-fallback`: TLS, and where that fails on a loopback host plain HTTP too, as docker does. */
export type TlsMode = 'required' | 'off' | 'loopback-fallback';

export interface EndpointOptions {
  /** `host[:port]`; Docker Hub's other names are understood. */
  host: string;
  tls: TlsMode;
  tlsVerify?: boolean | undefined;
  /** PEM. */
  ca?: string | undefined;
  transport: Transport;
}

const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function trustOf({ tlsVerify = true, ca }: EndpointOptions): Trust {
  return { verify: tlsVerify, ca };
}

/** As somebody typed it: without a stated scheme it is TLS; a loopback host is tried without, too. */
export function tlsOptions({
  useTls,
  tlsVerify,
}: {
  useTls?: boolean;
  tlsVerify?: boolean;
}): Pick<EndpointOptions, 'tls' | 'tlsVerify'> {
  const tls = useTls === undefined ? 'loopback-fallback' : useTls ? 'required' : 'off';
  return { tls, ...(tlsVerify !== undefined && { tlsVerify }) };
}

/** @throws invalid `HOST_INVALID` */
export async function findBase(options: EndpointOptions): Promise<URL> {
  const host = registryHost(options.host);
  const [secure, plain] = [new URL(`https://${host}/v2/`), new URL(`http://${host}/v2/`)];
  if (options.tls === 'off') return plain;
  if (options.tls === 'required' || !LOOPBACK.test(secure.hostname)) return secure;
  return (await speaksTls(secure, options)) ? secure : plain;
}

/** A certificate we don't trust is still TLS: the request that follows tells what is wrong with it. */
async function speaksTls(url: URL, options: EndpointOptions): Promise<boolean> {
  try {
    await options.transport.send({ method: 'GET', url, trust: { verify: false }, retry: false });
    return true;
  } catch (error) {
    if (isAppError(error) && error.kind === 'unavailable') return false;
    throw error;
  }
}
