import { z } from 'zod';
import type { ReadCatalog } from './catalog.ts';
import { registryUnavailable } from './proxy.ts';

const Catalog = z.object({ repositories: z.array(z.string()).nullable() });

const TIMEOUT_MS = 60_000;

/** @throws unavailable `REGISTRY_UNAVAILABLE` */
export function catalogOf(registryUrl: URL): ReadCatalog {
  const authorization = basicHeader(registryUrl);
  return async (last, n) => {
    const url = new URL('/v2/_catalog', registryUrl.origin);
    url.searchParams.set('n', String(n));
    if (last !== undefined) url.searchParams.set('last', last);
    try {
      const answer = await fetch(url, { headers: authorization, signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!answer.ok) throw new Error(`the registry answered ${answer.status}`);
      return Catalog.parse(await answer.json()).repositories ?? [];
    } catch (cause) {
      throw registryUnavailable(cause);
    }
  };
}

function basicHeader({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
