/**
 * `fetch` for requests to OpenID Connect providers and issuers: through the proxy and the egress
 * guard, and without redirects.
 */
import { parseJson } from '@portcullis/oci';
import type { Transport } from '@portcullis/oci/remote';
import type { CustomFetch, CustomFetchOptions } from 'openid-client';

const MAX_BYTES = 1024 * 1024;
const METHODS = ['GET', 'POST'] as const;
const BODILESS = new Set([204, 205, 304]);

/**
 * The JSON of a response is parsed in slices, because anyone may run a provider.
 * @param ca PEM; trusted in addition to the well-known authorities
 */
export function fetchThrough(transport: Transport, ca: string | null): CustomFetch {
  return async (url, options) => {
    const { status, headers, body } = await transport.send({
      method: METHODS.find((known) => known === options.method) ?? 'GET',
      url: new URL(url),
      headers: options.headers,
      trust: { verify: true, ...(ca !== null && { ca }) },
      body: bodyOf(options),
      maxBytes: MAX_BYTES,
      // A code is valid for one attempt; the library retries where that is possible.
      retry: options.method === 'GET',
      follow: false,
      signal: options.signal,
    });
    const init = {
      status,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, value]),
    };
    const response = new Response(BODILESS.has(status) ? null : new Uint8Array(body), init);
    return Object.assign(response, { json: async () => parseJson(await response.bytes()) });
  };
}

function bodyOf({ body }: CustomFetchOptions) {
  if (body === null || body === undefined) return undefined;
  const bytes = Buffer.from(String(body));
  return { size: bytes.length, open: async () => chunk(bytes) };
}

async function* chunk(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}
