import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';

export interface HealthOptions {
  /** Certificates to trust besides the usual ones, PEM. */
  ca?: string | undefined;
  timeoutMs?: number | undefined;
}

/**
 * The version check of the distribution specification: true when a registry answers there, open or asking for
 * credentials. With a login in the URL it is true only when the registry accepts that login.
 */
export function isHealthy(url: string, options: HealthOptions = {}): Promise<boolean> {
  const target = new URL('/v2/', url);
  const get = target.protocol === 'https:' ? getHttps : getHttp;
  return new Promise((resolve) => {
    // No agent: a connection kept open would outlive the question.
    const request = get(
      target,
      { ca: options.ca, agent: false, timeout: options.timeoutMs ?? 2000 },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200 || (response.statusCode === 401 && target.username === ''));
      },
    );
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
    request.once('close', () => resolve(false));
  });
}
