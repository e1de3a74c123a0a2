import { expect, it } from 'vitest';
import { issuerChange } from './trust-draft.ts';

it.each([
  ['github', 'https://token.actions.githubusercontent.com'],
  ['gitlab', 'https://gitlab.com'],
  ['other', ''],
])('the choice of %s replaces the issuer, and the certificate of the one before', (kind, issuer) =>
  expect(issuerChange(kind)).toEqual({ issuer, ca_cert: '' }),
);
