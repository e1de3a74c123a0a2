/** Requirements and facts for tests: one authority, `release`, whose signature verifies. */
import type { SignatureFact, SignatureFacts, VerifiedSignature } from './signature-facts.ts';
import type { SignatureRequirement } from './signature-policy.ts';

export function requirementFixture(
  change: Partial<SignatureRequirement> = {},
): SignatureRequirement {
  const authorities = ['release'];
  return { images: '**', match: 'any_of', authorities, attestation: null, ...change };
}

export const VERIFIED: VerifiedSignature = {
  ...{ signer: 'sha256:key', at: null, timeSource: null, by: null, log: null },
  until: null,
};

export function factFixture(change: Partial<SignatureFact> = {}): SignatureFact {
  return {
    authority: 'release',
    authorityVersion: 2,
    signature: `sha256:${'5'.repeat(64)}`,
    predicateType: null,
    verified: VERIFIED,
    reason: null,
    ...change,
  };
}

export function signatureFactsFixture(change: Partial<SignatureFacts> = {}): SignatureFacts {
  return {
    facts: [factFixture()],
    askedOf: { release: 2 },
    unread: 0,
    isComplete: true,
    checkedAt: new Date('2026-11-22T12:00:00Z'),
    ...change,
  };
}
