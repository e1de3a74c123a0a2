import { expect, it } from 'vitest';
import { statementOf } from './statement.ts';
import { type StatedVerdict, verificationSummary } from './verification-summary.ts';

const IMAGE = { repository: 'team/app', digest: `sha256:${'a'.repeat(64)}` };
const BY = { keyId: 'sha256:key', publicUrl: 'https://images.example.com', version: '1.0.0' };
const PASSED: StatedVerdict = {
  passes: true,
  code: null,
  policy: { name: 'prod gate', version: '3', digest: 'f00d' },
  databaseAt: '2026-11-29T00:00:00Z',
  waivers: ['0196f0e3-0000-7000-8000-000000000001'],
  at: new Date('2026-11-30T00:00:00Z'),
};

it('a verdict names the digest, the policy with its version, the database and the waivers', () => {
  const predicate = verificationSummary(IMAGE, PASSED, BY);
  expect(statementOf('verdict', IMAGE, { by: BY, predicate })).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'images.example.com/team/app', digest: { sha256: 'a'.repeat(64) } }],
    predicateType: 'https://slsa.dev/verification_summary/v1',
    predicate: {
      verifier: { id: 'https://images.example.com', version: { portcullis: '1.0.0' } },
      timeVerified: '2026-11-30T00:00:00.000Z',
      resourceUri: `images.example.com/team/app@${IMAGE.digest}`,
      policy: {
        uri: 'https://images.example.com#policy=prod%20gate&version=3',
        digest: { sha256: 'f00d' },
      },
      inputAttestations: [
        {
          uri: 'urn:portcullis:vulnerability-database',
          annotations: { built_at: PASSED.databaseAt },
        },
        { uri: `urn:uuid:${PASSED.waivers[0]}`, annotations: { kind: 'waiver' } },
      ],
      verificationResult: 'PASSED',
      verifiedLevels: [],
      slsaVersion: '1.1',
    },
  });
});

it('one that does not pass says why, and without an address the key names who says it', () => {
  const verdict = { ...PASSED, passes: false, code: 'VULN_BLOCKED', databaseAt: null, waivers: [] };
  expect(verificationSummary(IMAGE, verdict, { ...BY, publicUrl: null })).toMatchObject({
    verifier: { id: 'urn:portcullis:sha256:key' },
    resourceUri: `team/app@${IMAGE.digest}`,
    inputAttestations: [],
    verificationResult: 'FAILED',
    code: 'VULN_BLOCKED',
  });
});
