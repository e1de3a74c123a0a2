import type { AuthorityTerms } from '@portcullis/contract';
import { expect, it } from 'vitest';
import { type AuthorityDraft, draftOf, isComplete, termsOf } from './authority-draft.ts';

const KEYLESS = {
  kind: 'keyless',
  issuer: 'https://token.actions.githubusercontent.com',
  subject: 'https://github.com/acme/**',
} as const;

it.each<[string, AuthorityTerms]>([
  ['keys', { kind: 'key', keys: 'PEM' }],
  ['an identity', { ...KEYLESS, root: 'sigstore' }],
  ['an own root', { ...KEYLESS, root: '{}' }],
  ['claims', { ...KEYLESS, claims: { source_ref: 'refs/tags/a=b' }, root: 'sigstore' }],
  ['a store', { kind: 'certificate', store: 'PEM', identities: ['x509.subject: C=DE, O=A', '*'] }],
  [
    'all stores',
    {
      ...{ kind: 'certificate', store: 'A', signing_authority_store: 'B', timestamp_store: 'C' },
      identities: ['*'],
    },
  ],
])('the form of %s sends the same again', (_, terms) => {
  const draft = draftOf({ name: 'release', terms });
  expect(termsOf(draft)).toEqual(terms);
  expect(isComplete(draft)).toBe(true);
});

it.each<[string, Partial<AuthorityDraft>]>([
  ['a name', { name: ' ', keys: 'PEM' }],
  ['keys', { name: 'a' }],
  ['a subject', { name: 'a', kind: 'keyless' }],
  ['an identity', { name: 'a', kind: 'certificate', store: 'PEM' }],
])('without %s it is not sent', (_, change) => {
  expect(isComplete({ ...draftOf(null), ...change })).toBe(false);
});

it('spaces and empty lines are left out', () => {
  const draft = {
    ...draftOf(null),
    ...{ kind: 'keyless' as const, subject: ' me@example.com ', claims: '\n source_ref = main \n' },
  };
  expect(termsOf(draft)).toMatchObject({
    subject: 'me@example.com',
    claims: { source_ref: 'main' },
  });
});
