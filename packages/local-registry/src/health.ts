/** Asks the built-in registry whether it is well. */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { basicAuthorization, parseRegistryUrl } from './address.ts';

export interface HealthOptions {
  /** Certificates to trust in addition to the usual ones, PEM. */
  ca?: string | undefined;
  timeoutMs?: number | undefined;
}

/**
 * Health check of a registry, by the version check of the distribution specification: true when a
 * registry answers, open or asking for credentials. With credentials in the URL it is true only
 * when the registry accepts them.
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
      agent: false, // an idle connection would outlive the check
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
