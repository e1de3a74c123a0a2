/** Downloads of feeds from a real HTTP server. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTransport } from '@portcullis/oci/remote';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseFeedAddress } from './feed-address.ts';
import { fetchFeed } from './fetch-feed.ts';

let server: Server;
let seen: IncomingMessage['headers'][];
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
const transport = createTransport({ retries: 0 });

beforeEach(async () => {
  seen = [];
  server = createServer((request, response) => {
    seen.push(request.headers);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  transport.close();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function fetched(validator: string | null = null, signal = new AbortController().signal) {
  const { port } = server.address() as AddressInfo;
  const address = parseFeedAddress(`http://127.0.0.1:${port}/feed`);
  if (!address) throw new Error('no address');
  const open = () => {
    throw new Error('no registry is asked');
  };
  return fetchFeed(address, validator, { transport, open }, signal);
}

describe('a feed over HTTP', () => {
  it.each([
    ['its entity tag', { etag: '"a1"', 'last-modified': 'Sun, 22 Nov 2026 10:00:00 GMT' }, '"a1"'],
    [
      'the time of its last change',
      { 'last-modified': 'Sun, 22 Nov 2026 10:00:00 GMT' },
      'Sun, 22 Nov 2026 10:00:00 GMT',
    ],
    ['nothing where the server names nothing', {}, null],
  ])('is returned with %s', async (_, headers, validator) => {
    answer = (_request, response) => response.writeHead(200, headers).end('content');
    const found = await fetched();
    expect(found?.validator).toBe(validator);
    expect(String(found?.bytes)).toBe('content');
  });

  it.each([
    ['characters that are not ASCII', '"\u00e9"'],
    ['more than a kilobyte', `"${'a'.repeat(1_023)}"`],
    ['a tab', '"a\tb"'],
    ['nothing in it', ''],
    ['half of UTF-8', '"\u00c3"'],
  ])('with an entity tag of %s is downloaded again the next time', async (_, etag) => {
    answer = (_request, response) => response.writeHead(200, { etag }).end('content');
    const first = await fetched();
    expect(first?.validator).toBeNull();
    expect(String((await fetched(first?.validator))?.bytes)).toBe('content');
  });

  it.each([
    ['"a1"', 'if-none-match'],
    ['W/"a1"', 'if-none-match'],
    ['Sun, 22 Nov 2026 10:00:00 GMT', 'if-modified-since'],
  ])('is asked for with %s in %s, and may be unchanged', async (validator, header) => {
    answer = (_request, response) => response.writeHead(304).end();
    expect(await fetched(validator)).toBeNull();
    expect(seen[0]?.[header]).toBe(validator);
  });

  it('is followed to where the server redirects', async () => {
    answer = ({ url }, response) =>
      url === '/feed'
        ? response.writeHead(302, { location: '/2026-11-22' }).end()
        : response.end('content');
    expect(String((await fetched())?.bytes)).toBe('content');
  });

  it.each([
    ['another status', 403, 'FEED_UNAVAILABLE'],
    ['304 to a request without a condition', 304, 'FEED_UNAVAILABLE'],
  ])('is not taken from %s', async (_, status, code) => {
    answer = (_request, response) => response.writeHead(status).end();
    await expect(fetched()).rejects.toMatchObject({ code });
  });

  it('is refused beyond 64 MiB, before it is read to its end', async () => {
    answer = (_request, response) => {
      response.on('error', () => {});
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    await expect(fetched()).rejects.toMatchObject({ kind: 'too_large' });
  });
});
