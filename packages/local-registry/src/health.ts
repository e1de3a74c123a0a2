import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { basicAuthorization, parseRegistryUrl } from './address.ts';

export interface HealthOptions {
  /** Certificates to trust besides the usual ones, PEM. */
  ca?: string | undefined;
  timeoutMs?: number | undefined;
}

/**
 * The version check of the distribution specification: true when a registry answers there, open or asking for
 * credentials. With a login in the URL it is true only when the registry accepts that login.
 */
export function isHealthy(
  url: string,
  { ca, timeoutMs = 2000 }: HealthOptions = {},
): Promise<boolean> {
  const address = parseRegistryUrl(url);
  const { base, socketPath } = address;
  const authorization = basicAuthorization(address);
  const get = base.protocol === 'https:' ? getHttps : getHttp;
  return new Promise((resolve) => {
    const options = {
      ca,
      agent: false, // a connection kept open would outlive the question
      timeout: timeoutMs,
      ...(socketPath !== null && { socketPath }),
      headers: authorization === undefined ? {} : { authorization },
    };
    const request = get(new URL('/v2/', base), options, (response) => {
      response.resume();
      const { statusCode } = response;
      resolve(statusCode === 200 || (statusCode === 401 && authorization === undefined));
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
    request.once('close', () => resolve(false));
  });
}
