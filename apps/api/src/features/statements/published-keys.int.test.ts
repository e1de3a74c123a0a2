/** The public keys of statements, which any verifier reads without an account. */
import { generateSigningKey, openSigningKey } from '@portcullis/attest';
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

const get = (name: string) => fetch(`${api.url}/.well-known/portcullis/${name}`);

it('keys are published before and after they sign, and nothing of their private part', async () => {
  expect(await json(get('keys.json'))).toEqual({ keys: [] });
  expect(await codeOf(get('key.pem'))).toEqual([404, 'SIGNING_KEY_UNKNOWN']);
  const [first, next] = [generateSigningKey(), generateSigningKey()].map((privateKey) => {
    const { id, publicKey } = openSigningKey(privateKey);
    return { id, publicKey, privateKey };
  });
  if (!first || !next) throw new Error('two keys');
  await api.store.signingKeys.insertFirst(first);
  await api.store.signingKeys.rotate(next, { days: 7 });
  const answer = await get('keys.json');
  expect(answer.headers.get('content-type')).toBe('application/jwk-set+json');
  const text = await answer.text();
  expect(text).not.toContain('PRIVATE');
  expect(text).not.toContain('"d"');
  const jwk = { kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' };
  expect(JSON.parse(text).keys).toMatchObject([
    { ...jwk, kid: next.id, pem: next.publicKey, is_current: false, published_until: null },
    { ...jwk, kid: first.id, pem: first.publicKey, is_current: true },
  ]);
  expect(await (await get('key.pem')).text()).toBe(first.publicKey);
  expect((await get('private.pem')).headers.get('content-type')).not.toContain('pem');
});
