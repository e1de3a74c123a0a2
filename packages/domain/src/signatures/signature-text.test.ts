import { expect, it } from 'vitest';
import { IMAGE, NOW } from '../standing/standing.fixture.ts';
import { factFixture, requirementFixture, signatureFactsFixture } from './signature.fixture.ts';
import type { SignatureFact, SignatureFacts } from './signature-facts.ts';
import { type SignatureRequirement, signaturesOf } from './signature-policy.ts';
import { askedText, unsignedText } from './signature-text.ts';

const OTHER_KEY = { verified: null, reason: { code: 'KEY_DIFFERS' as const, params: {} } };
const EVE = {
  verified: null,
  reason: { code: 'SUBJECT_DIFFERS' as const, params: { subject: 'eve@example.org' } },
};

function said(
  facts: Partial<SignatureFact>[],
  asked: Partial<SignatureRequirement> = {},
  change: Partial<SignatureFacts> = {},
): string {
  return unsignedText(
    signaturesOf({
      policy: { signatures: [requirementFixture(asked)] },
      signatures: signatureFactsFixture({ facts: facts.map(factFixture), ...change }),
      authorities: new Map([['release', { version: 2 }]]),
      ...{ waivers: [], image: IMAGE, now: NOW },
    }),
  );
}

it.each<[string, Partial<SignatureFact>[]]>([
  ['it lacks a signature by release: release: none was found', []],
  ['it lacks a signature by release: release: another key made it', [OTHER_KEY]],
  [
    'it lacks a signature by release: release: someone else signed (eve@example.org), and 1 more does not count',
    [EVE, OTHER_KEY],
  ],
])('%s', (expected, facts) => {
  expect(said(facts)).toBe(expected);
});

it('names what is asked for, and authorities that are gone', () => {
  const asked = { attestation: 'https://slsa.dev/provenance/v1', authorities: ['gone'] };
  expect(said([], asked)).toBe(
    'it lacks an attestation https://slsa.dev/provenance/v1 by gone: gone: there is no such authority',
  );
});

it('says of what was not read that it may count', () => {
  expect(said([], {}, { unread: 7, isComplete: false })).toBe(
    'it lacks a signature by release: release: none was found; 7 more were not read; the registry does not say whether there are more',
  );
});

it('names a few authorities', () => {
  const asked = (authorities: string[], match: 'any_of' | 'all_of') =>
    askedText(requirementFixture({ authorities, match }));
  expect(asked(['a', 'b'], 'any_of')).toBe('a signature by a or b');
  expect(asked(['a', 'b', 'c'], 'all_of')).toBe('a signature by a, b and c');
  expect(asked(['a', 'b', 'c', 'd'], 'any_of')).toBe('a signature by a, b, c or others');
});
