import express, { type Request } from 'express';
import { expect, it } from 'vitest';
import { publicUrlOf } from './public-url.ts';

/** A request as Express reads it, whose socket has this address. */
function requestFrom(address: string, headers: Record<string, string>): Request {
  const app = express();
  app.set('trust proxy', ['10.0.0.1']);
  return Object.assign(Object.create(app.request), {
    app,
    headers,
    socket: { remoteAddress: address },
  });
}

it.each([
  [
    'a host without a port gets that of the proxy',
    { 'x-forwarded-port': '8443' },
    'https://a.example:8443',
  ],
  ['the default port is not named', { 'x-forwarded-port': '443' }, 'https://a.example'],
  [
    'of several ports the client’s is the first',
    { 'x-forwarded-port': '8443, 80' },
    'https://a.example:8443',
  ],
  [
    'a port in the host stays',
    { host: 'a.example:9443', 'x-forwarded-port': '8443' },
    'https://a.example:9443',
  ],
  [
    'an IPv6 host gets it as well',
    { host: '[::1]', 'x-forwarded-port': '8443' },
    'https://[::1]:8443',
  ],
  ['what is no port is ignored', { 'x-forwarded-port': '99999' }, 'https://a.example'],
  ['a name is ignored', { 'x-forwarded-port': '8443.evil.example' }, 'https://a.example'],
])('%s', (_, headers, url) => {
  const sent = { host: 'a.example', 'x-forwarded-proto': 'https', ...headers };
  expect(publicUrlOf(requestFrom('10.0.0.1', sent), null)).toBe(url);
});

it('a client that is no trusted proxy has no say', () => {
  const sent = { host: 'a.example', 'x-forwarded-port': '8443' };
  expect(publicUrlOf(requestFrom('10.0.0.2', sent), null)).toBe('http://a.example');
});
