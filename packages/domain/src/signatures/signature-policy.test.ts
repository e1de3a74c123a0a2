import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysLater, IMAGE, NOW, waiverFixture } from '../standing/standing.fixture.ts';
import { SIGNATURE, type Waiver } from '../waivers/waiver.ts';
import {
  factFixture,
  requirementFixture,
  signatureFactsFixture,
  VERIFIED,
} from './signature.fixture.ts';
import type { SignatureFact, SignatureFacts } from './signature-facts.ts';
import {
  authoritiesIn,
  type ImageSignatures,
  type SignatureRequirement,
  signaturesOf,
} from './signature-policy.ts';
import { SIGNATURE_REASONS } from './signature-reasons.ts';

const PROVENANCE = 'https://slsa.dev/provenance/v1';
const AUTHORITIES = new Map([
  ['release', { version: 2 }],
  ['security', { version: 1 }],
]);

function judged(
  asked: Partial<SignatureRequirement>[],
  signatures: SignatureFacts | null,
  change: { waivers?: Waiver[]; authorities?: typeof AUTHORITIES } = {},
): ImageSignatures {
  return signaturesOf({
    ...{ policy: { signatures: asked.map(requirementFixture) }, signatures },
    ...{ authorities: AUTHORITIES, waivers: [], image: IMAGE, now: NOW },
    ...change,
  });
}

/** Facts of both authorities as they are now. */
function known(facts: Partial<SignatureFact>[], change: Partial<SignatureFacts> = {}) {
  const askedOf = { release: 2, security: 1 };
  return signatureFactsFixture({ facts: facts.map(factFixture), askedOf, ...change });
}

const BY_RELEASE = {};
const BY_SECURITY = { authority: 'security', authorityVersion: 1 };
const BOTH = ['release', 'security'];
const refused = (code: SignatureFact['reason'] & object) => ({ verified: null, reason: code });
const OTHER_KEY = refused({ code: 'KEY_DIFFERS', params: {} });

describe('a requirement is met', () => {
  it.each<[string, Partial<SignatureRequirement>, Partial<SignatureFact>[]]>([
    ['by a signature that verifies', {}, [BY_RELEASE]],
    ['by one beside others that do not', {}, [OTHER_KEY, BY_RELEASE]],
    ['by either of two authorities', { authorities: BOTH }, [BY_SECURITY]],
    [
      'by each of two with a signature',
      { authorities: BOTH, match: 'all_of' },
      [BY_RELEASE, { ...BY_SECURITY, signature: `sha256:${'c'.repeat(64)}` }],
    ],
    [
      'by one signature for which both authorities vouch',
      { authorities: BOTH, match: 'all_of' },
      [BY_RELEASE, BY_SECURITY],
    ],
    ['by an attestation of the type', { attestation: PROVENANCE }, [{ predicateType: PROVENANCE }]],
  ])('%s', (_, asked, facts) => {
    expect(judged([asked], known(facts)).unsigned).toBeNull();
  });
});

describe('a requirement is not met', () => {
  it.each<[string, Partial<SignatureRequirement>, Partial<SignatureFact>[]]>([
    ['without a signature', {}, []],
    ['by a signature that does not verify', {}, [OTHER_KEY]],
    ['by another authority', {}, [BY_SECURITY]],
    ['by an attestation in place of a signature', {}, [{ predicateType: PROVENANCE }]],
    ['by a signature in place of an attestation', { attestation: PROVENANCE }, [BY_RELEASE]],
    ['by an attestation of another type', { attestation: PROVENANCE }, [{ predicateType: 'a' }]],
    [
      'by an attestation that does not verify',
      { attestation: PROVENANCE },
      [{ ...OTHER_KEY, predicateType: PROVENANCE }],
    ],
    ['by a version of the authority of before', {}, [{ authorityVersion: 1 }]],
    ['by one of two that both have to', { authorities: BOTH, match: 'all_of' }, [BY_RELEASE]],
    ['without an authority', { authorities: [] }, [BY_RELEASE]],
  ])('%s', (_, asked, facts) => {
    expect(judged([asked], known(facts)).unsigned).toBe(SIGNATURE);
  });
});

describe('what is not known yet', () => {
  const waits = 'SIGNATURES_NOT_VERIFIED';

  it.each<[string, Partial<SignatureRequirement>, SignatureFacts | null, string | null]>([
    ['is no absence: no facts', {}, null, waits],
    [
      'is no absence: another version',
      {},
      known([{ authorityVersion: 1 }], { askedOf: { release: 1 } }),
      waits,
    ],
    ['does not matter where one signed', {}, known([BY_RELEASE], { askedOf: {} }), null],
    [
      'may be an attestation of one that signed',
      { attestation: PROVENANCE },
      known([BY_RELEASE], { askedOf: {} }),
      waits,
    ],
    ['is no absence: never asked', {}, known([], { askedOf: { security: 1 } }), waits],
    [
      'does not matter where one of the others signed',
      { authorities: BOTH },
      known([BY_SECURITY], { askedOf: { security: 1 } }),
      null,
    ],
    [
      'may still be one of the others',
      { authorities: BOTH },
      known([], { askedOf: { security: 1 } }),
      waits,
    ],
    [
      'is awaited where each has to sign',
      { authorities: BOTH, match: 'all_of' },
      known([BY_SECURITY], { askedOf: { security: 1 } }),
      waits,
    ],
    [
      'can not help where another one is missing',
      { authorities: BOTH, match: 'all_of' },
      known([], { askedOf: { security: 1 } }),
      SIGNATURE,
    ],
  ])('%s', (_, asked, facts, code) => {
    expect(judged([asked], facts).unsigned).toBe(code);
  });

  it('never becomes known of an authority that was removed', () => {
    const authorities = new Map([['security', { version: 1 }]]);
    const [requirement] = judged([{}], known([BY_RELEASE]), { authorities }).requirements;
    expect(requirement?.code).toBe(SIGNATURE);
    expect(requirement?.answers).toMatchObject([{ authority: 'release', state: 'removed' }]);
  });

  it('is no property that every object has', () => {
    const authorities = new Map([['constructor', { version: 1 }]]);
    const { unsigned } = judged([{ authorities: ['constructor'] }], known([]), { authorities });
    expect(unsigned).toBe(waits);
  });

  it('is said of signatures that were not read, which may be the one', () => {
    const facts = known([OTHER_KEY], { unread: 3, isComplete: false });
    expect(judged([{}], facts)).toMatchObject({
      ...{ unsigned: SIGNATURE, unreadSignatures: 3, hasHiddenSignatures: true },
    });
    expect(judged([{ images: 'other/*' }], facts)).toMatchObject({
      ...{ unsigned: null, unreadSignatures: 0, hasHiddenSignatures: false },
    });
  });
});

describe('the images of a requirement', () => {
  it.each([
    ['team/app', true],
    ['team/*', true],
    ['**', true],
    ['team/ap', false],
    ['*', false],
    ['app', false],
  ])('%s', (images, isAsked) => {
    const { requirements, unsigned } = judged([{ images }], known([]));
    expect([requirements.length, unsigned]).toEqual(isAsked ? [1, SIGNATURE] : [0, null]);
  });

  it('may be of several requirements, each of which has to be met', () => {
    const asked = [{}, { images: 'other/**' }, { authorities: ['security'] }];
    const { requirements, unsigned } = judged(asked, known([BY_RELEASE]));
    expect(requirements.map(({ requirement, code }) => [requirement, code])).toEqual([
      [0, null],
      [2, SIGNATURE],
    ]);
    expect(unsigned).toBe(SIGNATURE);
  });

  it('are refused for what is certain before what is awaited', () => {
    const asked = [{}, { authorities: ['security'] }];
    const facts = known([], { askedOf: { security: 1 } });
    expect(judged(asked, facts).unsigned).toBe(SIGNATURE);
  });
});

describe('the answer', () => {
  it('names who signed, and why each of the others does not count', () => {
    const facts = known([
      BY_RELEASE,
      refused({ code: 'SUBJECT_DIFFERS', params: { subject: 'eve' } }),
      { predicateType: PROVENANCE },
    ]);
    const [requirement] = judged([{}], facts).requirements;
    const { signature, verified } = factFixture({});
    expect(requirement?.answers).toEqual([
      {
        authority: 'release',
        state: 'signed',
        signed: [{ ...verified, signature }],
        uncounted: [
          { signature, code: 'SUBJECT_DIFFERS', params: { subject: 'eve' } },
          { signature, code: 'IS_ATTESTATION', params: { type: PROVENANCE } },
        ],
        uncountedTotal: 2,
      },
    ]);
  });

  it.each([
    [PROVENANCE, null, 'IS_SIGNATURE', {}],
    [PROVENANCE, 'a', 'PREDICATE_DIFFERS', { type: 'a' }],
    [null, 'a', 'IS_ATTESTATION', { type: 'a' }],
  ])('asked for %s, %s is of another kind', (attestation, predicateType, code, params) => {
    const [requirement] = judged([{ attestation }], known([{ predicateType }])).requirements;
    expect(requirement?.answers[0]?.uncounted).toMatchObject([{ code, params }]);
  });

  it('names a few of ten thousand, and counts all', () => {
    const facts = known(Array.from({ length: 10_000 }, () => OTHER_KEY));
    const [answer] = judged([{}], facts).requirements[0]?.answers ?? [];
    expect([answer?.uncounted.length, answer?.uncountedTotal]).toEqual([5, 10_000]);
  });
});

describe('a signature that counts until a moment', () => {
  const until = (at: Date | null) => ({ verified: { ...VERIFIED, until: at } });

  it('is verified again then, and meanwhile nothing is known', () => {
    const last = judged([{}], known([until(daysLater(1))]));
    expect([last.unsigned, last.signaturesUntil]).toEqual([null, daysLater(1)]);
    const over = judged([{}], known([until(NOW)]));
    expect([over.unsigned, over.signaturesUntil]).toEqual(['SIGNATURES_NOT_VERIFIED', null]);
  });

  it('does not matter beside one that counts longer', () => {
    const facts = known([until(NOW), until(daysLater(1)), until(null)]);
    const { unsigned, signaturesUntil, requirements } = judged([{}], facts);
    expect([unsigned, signaturesUntil]).toEqual([null, null]);
    const signed = requirements[0]?.answers[0]?.signed.map((each) => each.until);
    expect(signed).toEqual([null, daysLater(1)]);
  });

  it('ends the answer of all that have to sign', () => {
    const facts = known([until(daysLater(3)), { ...BY_SECURITY, ...until(daysLater(2)) }]);
    const asked = { authorities: BOTH, match: 'all_of' } as const;
    expect(judged([asked], facts).signaturesUntil).toEqual(daysLater(2));
  });
});

describe('a waiver of signatures', () => {
  const waiver = (change: Partial<Waiver> = {}) =>
    waiverFixture({ vulnerability: SIGNATURE, digest: IMAGE.digest, folder: 'team', ...change });

  it.each<[string, Partial<Waiver>, boolean]>([
    ['lets its digest pass', {}, true],
    ['is for no other digest', { digest: 'sha256:b' }, false],
    ['is for no other folder', { folder: 'other' }, false],
    ['does not count before it is approved', { state: 'requested' }, false],
    ['does not count after its end', { expiresAt: NOW }, false],
    ['is not one of a vulnerability', { vulnerability: 'CVE-2026-1' }, false],
  ])('%s', (_, change, passes) => {
    for (const signatures of [known([]), null]) {
      const { unsigned } = judged([{}], signatures, { waivers: [waiver(change)] });
      expect(unsigned === null).toBe(passes);
    }
  });

  it('is named with its end, and only where it is needed', () => {
    const waivers = [waiver(), waiver({ id: 'w2', expiresAt: daysLater(3) })];
    const until = daysLater(3);
    const named = { waiverId: 'w2', until };
    expect(judged([{}], known([]), { waivers }).signatureWaiver).toEqual(named);
    expect(judged([{}], known([BY_RELEASE]), { waivers }).signatureWaiver).toBeNull();
    expect(judged([], null, { waivers }).signatureWaiver).toBeNull();
  });
});

it('lists each authority of a policy once', () => {
  const signatures = [{ authorities: BOTH }, {}].map(requirementFixture);
  expect(authoritiesIn({ signatures })).toEqual(BOTH);
});

it('lets no facts pass that have no verified signature, whatever they say', () => {
  const reason = fc.record({
    code: fc.constantFrom(...SIGNATURE_REASONS),
    params: fc.dictionary(fc.string(), fc.string()),
  });
  const fact = fc.record({
    authority: fc.constantFrom('release', 'security', 'gone'),
    authorityVersion: fc.integer({ min: 0, max: 3 }),
    predicateType: fc.constantFrom(null, PROVENANCE),
    reason,
    verified: fc.constant(null),
  });
  const askedOf = fc.dictionary(fc.constantFrom('release', 'security'), fc.integer({ max: 3 }));
  const match = fc.constantFrom('any_of' as const, 'all_of' as const);
  fc.assert(
    fc.property(fc.array(fact), askedOf, match, (facts, asked, how) => {
      const signatures = known(facts, { askedOf: asked });
      const requirement = { authorities: BOTH, match: how };
      const answer = judged([requirement], signatures);
      expect(answer.unsigned).not.toBeNull();
      expect(judged([requirement], signatures)).toEqual(answer);
    }),
  );
});
