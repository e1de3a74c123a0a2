import { expect, it } from 'vitest';
import { createIdentityExchange, type ExchangePorts } from './exchange.ts';

const ISSUER = 'https://cluster.example.com';
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const TOKEN = `${base64({ alg: 'RS256' })}.${base64({ iss: ISSUER })}.c2ln`;

it.each([
  [[null, 'ONE'], 'ONE'],
  [['ONE', null, 'TWO', 'ONE'], 'ONE\nTWO'],
  [[null, null], undefined],
])('an issuer is asked with the certificates of all of its rules: %j', async (given, asked) => {
  const seen: unknown[] = [];
  const ports = {
    store: {
      identityTrusts: { ofIssuer: async () => given.map((caCert) => ({ issuer: ISSUER, caCert })) },
    },
    guesses: { assertAddress: async () => {}, countAddress: async () => {} },
    transport: {
      async send({ trust }: { trust: { ca?: string } }) {
        seen.push(trust.ca);
        return { status: 503, headers: {}, body: Buffer.from('{}') };
      },
    },
    now: () => new Date(),
  };
  const { exchange } = createIdentityExchange(ports as unknown as ExchangePorts);
  const refused = exchange(TOKEN, { clientIp: '127.0.0.1' });
  await expect(refused).rejects.toMatchObject({ code: 'ISSUER_UNAVAILABLE' });
  expect(seen).toEqual([asked]);
});
