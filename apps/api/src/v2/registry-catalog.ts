import { z } from 'zod';
import type { ReadCatalog } from './catalog.ts';
import { registryUnavailable } from './proxy.ts';

const Catalog = z.object({ repositories: z.array(z.string()).nullable() });
const Tags = z.object({ tags: z.array(z.string()).nullable() });

const TIMEOUT_MS = 60_000;

/** @throws unavailable `REGISTRY_UNAVAILABLE` */
export function catalogOf(registryUrl: URL): ReadCatalog {
  return async (last, n) => {
    const url = new URL('/v2/_catalog', registryUrl.origin);
    url.searchParams.set('n', String(n));
    if (last !== undefined) url.searchParams.set('last', last);
    const catalog = await ask(registryUrl, url, Catalog);
    return catalog?.repositories ?? [];
  };
}

/** None where the last manifest is gone, too. @throws unavailable `REGISTRY_UNAVAILABLE` */
export function tagsOf(registryUrl: URL): (repository: string) => Promise<string[]> {
  return async (repository) => {
    const list = await ask(registryUrl, new URL(`/v2/${repository}/tags/list`, registryUrl.origin), Tags);
    return list?.tags ?? [];
  };
}

/** Null for what the registry doesn't know. */
async function ask<T>(registryUrl: URL, url: URL, schema: z.ZodType<T>): Promise<T | null> {
  try {
    const headers = basicHeader(registryUrl);
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body: unknown = await answer.json();
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`the registry answered ${answer.status}`);
    return schema.parse(body);
  } catch (cause) {
    throw registryUnavailable(cause);
  }
}

function basicHeader({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
