/** Endpoint of a registry: its base URL, and whether it uses TLS. */

import { registryHost } from '../model/reference.ts';
import { isOciError } from '../oci-error.ts';
import type { TlsTrust } from './http/dial.ts';
import type { Transport } from './http/transport.ts';

/**
 * `loopback-fallback`: TLS, or plain HTTP on a loopback host that does not speak TLS, as in Docker.
 */
export type TlsMode = 'required' | 'off' | 'loopback-fallback';

export interface EndpointOptions {
  /** `host[:port]`; all names of Docker Hub are accepted. */
  host: string;
  /** `loopback-fallback` if not given. */
  tls?: TlsMode | undefined;
  tlsVerify?: boolean | undefined;
  /** Additional CA certificates in PEM format. */
  ca?: string | undefined;
  transport: Transport;
}

const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function trustOf({ tlsVerify = true, ca }: EndpointOptions): TlsTrust {
  return { verify: tlsVerify, ca };
}

/**
 * TLS options from user input: without an explicit choice TLS is used, with a fallback for loopback
 * hosts.
 */
export function tlsOptions({ useTls, tlsVerify }: { useTls?: boolean; tlsVerify?: boolean }): {
  tls: TlsMode;
  tlsVerify?: boolean;
} {
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

/** An untrusted certificate still counts as TLS: the next request reports what is wrong with it. */
async function speaksTls(url: URL, options: EndpointOptions): Promise<boolean> {
  try {
    await options.transport.send({ method: 'GET', url, trust: { verify: false }, retry: false });
    return true;
  } catch (error) {
    if (isOciError(error) && error.kind === 'unavailable') return false;
    throw error;
  }
}
