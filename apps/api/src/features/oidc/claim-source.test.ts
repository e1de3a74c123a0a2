import type { CustomFetch } from 'openid-client';
import { expect, it } from 'vitest';
import { claimFromSource } from './claim-source.ts';

const OWN = 'https://idp.example/groups';

async function asked(source: object, answer: unknown, status = 200) {
  const tokens: unknown[] = [];
  const fetch: CustomFetch = async (_url, { headers }) => {
    tokens.push(headers.authorization);
    return Response.json(answer, { status });
  };
  const claims = { _claim_names: { groups: 's' }, _claim_sources: { s: source } };
  const { signal } = new AbortController();
  const options = { fetch, accessToken: 'mine', signal, trusted: ['https://idp.example/realm'] };
  return { found: await claimFromSource(claims, 'groups', options), tokens };
}

it.each([
  ['of the provider, with the token of the login', { endpoint: OWN }, { groups: ['a'] }, 'mine'],
  ['in the form of Graph', { endpoint: OWN }, { value: ['a'] }, 'mine'],
  [
    'elsewhere, with its own token',
    { endpoint: 'https://other.example/', access_token: 'theirs' },
    { groups: ['a'] },
    'theirs',
  ],
])('a source %s is asked', async (_, source, answer, token) => {
  const { found, tokens } = await asked(source, answer);
  expect(found).toEqual({ groups: ['a'] });
  expect(tokens).toEqual([`Bearer ${token}`]);
});

it.each([
  ['elsewhere without a token', { endpoint: 'https://graph.windows.net/x' }],
  ['without TLS', { endpoint: 'http://other.example/', access_token: 'theirs' }],
  ['that is no address', { endpoint: 'none' }],
])('a source %s gets no token', async (_, source) => {
  expect(await asked(source, { groups: ['a'] })).toEqual({ found: {}, tokens: [] });
});

it.each([
  ['refuses', { error: 'no' }, 403],
  ['has more pages', { value: ['a'], '@odata.nextLink': 'https://x' }, 200],
  ['answers with a list', ['a'], 200],
])('a source that %s says nothing', async (_, answer, status) => {
  expect((await asked({ endpoint: OWN }, answer, status)).found).toEqual({});
});
