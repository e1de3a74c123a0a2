import { describe, expect, it } from 'vitest';
import { answersOf, factsOf, keyAuthority } from '../facts.fixture.ts';
import { LIMITS } from '../limits.ts';
import {
  attachByTag,
  attachReferrer,
  type LayerInput,
  type SampleRepository,
  sampleRepository,
} from '../repository.fixture.ts';
import {
  BUNDLE,
  bundleLayer,
  DSSE,
  envelope,
  keyBundle,
  type SampleKey,
  SIMPLE_SIGNING,
  sampleKey,
  signBytes,
  simpleSigning,
  simpleSigningLayer,
  statement,
} from '../signing.fixture.ts';

const OTHER_DIGEST = `sha256:${'a'.repeat(64)}`;
const SPDX = 'https://spdx.dev/Document';
const key = sampleKey();
const authority = keyAuthority(key.pem);

/** What is signed, in each way in which it may be stored. */
const LAYOUTS: Record<string, (to: SampleRepository, by: SampleKey, of: string) => unknown> = {
  'a tag of cosign': (to, by, of) =>
    attachByTag(to, 'sig', [simpleSigningLayer(by, simpleSigning(of))]),
  'a referrer of cosign 2': (to, by, of) =>
    attachReferrer(
      to,
      [simpleSigningLayer(by, simpleSigning(of))],
      'application/vnd.dev.cosign.artifact.sig.v1+json',
    ),
  'an attestation under a tag': (to, by, of) =>
    attachByTag(to, 'att', [attestationLayer(by, of as `sha256:${string}`)]),
  'a bundle': (to, by, of) => {
    const signed = envelope(by, statement(of as `sha256:${string}`));
    return attachReferrer(to, [bundleLayer(keyBundle(signed))]);
  },
};

function attestationLayer(by: SampleKey, of: `sha256:${string}`): LayerInput {
  const signed = envelope(by, statement(of, { predicateType: SPDX }));
  const annotations = { 'dev.cosignproject.cosign/signature': '' };
  return { mediaType: DSSE, bytes: Buffer.from(JSON.stringify(signed)), annotations };
}

describe.each(Object.entries(LAYOUTS))('a signature in %s', (_, attach) => {
  it.each([
    ['P-256', sampleKey('P-256')],
    ['P-384 with SHA-256', sampleKey('P-384')],
    [
      'P-384 with the hash of its curve (sigstore/cosign #5063)',
      { ...sampleKey('P-384'), hash: 'sha384' },
    ],
    ['Ed25519', sampleKey('ed25519')],
    ['RSA', sampleKey('rsa')],
  ])('counts for its key of %s', async (_name, of) => {
    const repository = await sampleRepository();
    await attach(repository, of, repository.image.digest);
    expect(await answersOf(repository, keyAuthority(of.pem))).toEqual(['counts']);
  });

  it('counts for the second of several keys, which is named', async () => {
    const repository = await sampleRepository();
    await attach(repository, key, repository.image.digest);
    const [fact] = await factsOf(repository, [keyAuthority(sampleKey().pem, key.pem)]);
    const [alone] = await factsOf(repository, [authority]);
    expect(fact?.verified?.signer).toEqual(alone?.verified?.signer);
    expect(fact?.verified).toMatchObject({ time: null, log: null });
  });

  it('does not count for another key', async () => {
    const repository = await sampleRepository();
    await attach(repository, sampleKey(), repository.image.digest);
    expect(await answersOf(repository, authority)).toEqual(['KEY_DIFFERS']);
  });

  it('does not count where it is of another digest (sigstore/cosign #542)', async () => {
    const repository = await sampleRepository();
    await attach(repository, key, OTHER_DIGEST);
    const [fact] = await factsOf(repository, [authority]);
    expect(fact?.reason).toEqual({ code: 'DIGEST_DIFFERS', params: { signed: OTHER_DIGEST } });
  });
});

describe('simple signing', () => {
  const signed = async (payload: (digest: string) => Buffer) => {
    const repository = await sampleRepository();
    const layer = simpleSigningLayer(key, payload(repository.image.digest));
    await attachByTag(repository, 'sig', [layer]);
    return answersOf(repository, authority);
  };

  it('counts with the name of another repository, as after a copy and in cosign (sigstore/cosign #2789)', async () => {
    const identity = { 'docker-reference': 'elsewhere.example.com/other/app' };
    expect(await signed((digest) => simpleSigning(digest, { identity }))).toEqual(['counts']);
  });

  it.each<[string, (digest: string) => Buffer]>([
    ['of another type', (digest) => simpleSigning(digest, { type: 'atomic container signature' })],
    ['with an unknown critical field', (digest) => simpleSigning(digest, { until: 'tomorrow' })],
    ['without a digest', (digest) => simpleSigning(digest, { image: {} })],
    [
      'that two parsers read differently',
      (digest) => Buffer.from(simpleSigning(digest).toString().replace('{', '{"critical":{},')),
    ],
    [
      'whose member Go reads in other letters',
      (digest) => Buffer.from(simpleSigning(digest).toString().replace('{', '{"Critical":{},')),
    ],
    ['that is a README (sigstore/cosign #4300)', () => Buffer.from('# Hello')],
  ])('does not count with a payload %s', async (_, payload) => {
    expect(await signed(payload)).toEqual(['PAYLOAD_INVALID']);
  });

  it.each([
    ['no signature', {}],
    ['an empty signature', { 'dev.cosignproject.cosign/signature': '' }],
    ['a signature that is no base64', { 'dev.cosignproject.cosign/signature': '-----' }],
    [
      'a log entry with a number of a thousand digits',
      {
        'dev.cosignproject.cosign/signature': 'AAAA',
        'dev.sigstore.cosign/bundle': JSON.stringify({
          SignedEntryTimestamp: 'AAAA',
          Payload: {
            body: Buffer.from('{"kind":"a","apiVersion":"1"}').toString('base64'),
            integratedTime: 1,
            logIndex: '9'.repeat(1000),
            logID: 'aa',
          },
        }),
      },
    ],
    [
      'a log entry that is none',
      { 'dev.cosignproject.cosign/signature': 'AAAA', 'dev.sigstore.cosign/bundle': '{}' },
    ],
  ])('does not count with %s', async (_, annotations) => {
    const repository = await sampleRepository();
    const bytes = simpleSigning(repository.image.digest);
    await attachByTag(repository, 'sig', [{ mediaType: SIMPLE_SIGNING, bytes, annotations }]);
    expect(await answersOf(repository, authority)).toEqual(['FORMAT_INVALID']);
  });

  it('has a fact for each of two keys that signed the same payload', async () => {
    const repository = await sampleRepository();
    const payload = simpleSigning(repository.image.digest);
    const layers = [key, sampleKey()].map((by) => simpleSigningLayer(by, payload));
    await attachByTag(repository, 'sig', layers);
    expect(await answersOf(repository, authority)).toEqual(['KEY_DIFFERS', 'counts']);
  });
});

describe('an attestation', () => {
  it('has the type of its predicate, and a signature of cosign 3 has none', async () => {
    const repository = await sampleRepository();
    const { digest } = repository.image;
    await attachByTag(repository, 'att', [attestationLayer(key, digest as `sha256:${string}`)]);
    await attachReferrer(repository, [bundleLayer(keyBundle(envelope(key, statement(digest))))]);
    const facts = await factsOf(repository, [authority]);
    expect(facts.map(({ predicateType }) => predicateType)).toEqual([SPDX, null]);
  });

  it('does not count with two signatures, of which one is ours, under a tag either', async () => {
    const repository = await sampleRepository();
    const ours = envelope(key, statement(repository.image.digest));
    const { signatures } = envelope(sampleKey(), statement(repository.image.digest));
    const both = { ...ours, signatures: [...ours.signatures, ...signatures] };
    const annotations = { 'dev.cosignproject.cosign/signature': '' };
    const bytes = Buffer.from(JSON.stringify(both));
    await attachByTag(repository, 'att', [{ mediaType: DSSE, bytes, annotations }]);
    expect(await answersOf(repository, authority)).toEqual(['FORMAT_INVALID']);
  });

  const answers = async (change: (digest: `sha256:${string}`) => object) => {
    const repository = await sampleRepository();
    const bundle = change(repository.image.digest as `sha256:${string}`);
    await attachReferrer(repository, [bundleLayer(bundle)], BUNDLE);
    return answersOf(repository, authority);
  };

  it.each<[string, object]>([
    ['of no type (GHSA-w6c6-c85g-mmv6)', { predicateType: undefined }],
    ['of another statement', { _type: 'https://in-toto.io/Statement/v2' }],
    ['without a subject', { subject: undefined }],
    ['with a thousand subjects more than one', { subject: Array(1025).fill({ digest: {} }) }],
    ['with a subject that is none', { subject: ['app'] }],
  ])('does not count %s', async (_, change) => {
    const bundle = (digest: `sha256:${string}`) =>
      keyBundle(envelope(key, statement(digest, change)));
    expect(await answers(bundle)).toEqual(['PAYLOAD_INVALID']);
  });

  it('counts where the digest is one of its subjects', async () => {
    const other = { digest: { sha256: 'a'.repeat(64) } };
    const bundle = (digest: `sha256:${string}`) => {
      const subject = [other, { digest: { sha256: digest.slice(7) } }];
      return keyBundle(envelope(key, statement(digest, { subject })));
    };
    expect(await answers(bundle)).toEqual(['counts']);
  });

  it.each<[string, (digest: `sha256:${string}`) => object, string]>([
    [
      'another type of payload',
      (digest) => keyBundle(envelope(key, statement(digest), 'application/json')),
      'PAYLOAD_TYPE_UNKNOWN',
    ],
    [
      'a signature of the payload without its type',
      (digest) => {
        const payload = statement(digest);
        const sig = signBytes(key, payload).toString('base64');
        return keyBundle({ ...envelope(key, payload), signatures: [{ sig }] });
      },
      'KEY_DIFFERS',
    ],
    [
      'another payload under the signature',
      (digest) => {
        const payload = statement(digest, { predicate: { passed: true } }).toString('base64');
        return keyBundle({ ...envelope(key, statement(digest)), payload });
      },
      'KEY_DIFFERS',
    ],
    [
      'no signature',
      (digest) => keyBundle({ ...envelope(key, statement(digest)), signatures: [] }),
      'FORMAT_INVALID',
    ],
    [
      'two signatures, of which one is ours',
      (digest) => {
        const ours = envelope(key, statement(digest));
        const { signatures } = envelope(sampleKey(), statement(digest));
        return keyBundle({ ...ours, signatures: [...signatures, ...ours.signatures] });
      },
      'FORMAT_INVALID',
    ],
    [
      'a version that is not known',
      (digest) =>
        keyBundle(envelope(key, statement(digest)), {
          mediaType: 'application/vnd.dev.sigstore.bundle.v0.9+json',
        }),
      'FORMAT_UNKNOWN',
    ],
    [
      'a signature of bare bytes, whose digest is not signed (sigstore/sigstore-python #1651)',
      (digest) =>
        keyBundle(envelope(key, statement(digest)), {
          dsseEnvelope: undefined,
          messageSignature: {
            messageDigest: {
              algorithm: 'SHA2_256',
              digest: Buffer.from(digest).toString('base64'),
            },
            signature: 'AAAA',
          },
        }),
      'PAYLOAD_TYPE_UNKNOWN',
    ],
    [
      'no material to verify it by',
      (digest) => keyBundle(envelope(key, statement(digest)), { verificationMaterial: undefined }),
      'FORMAT_INVALID',
    ],
    [
      'a name that Go reads in other letters',
      (digest) => keyBundle(envelope(key, statement(digest)), { DsseEnvelope: {} }),
      'FORMAT_INVALID',
    ],
    [
      'more log entries than any program writes (GHSA-cq38-jh5f-37mq)',
      (digest) =>
        keyBundle(envelope(key, statement(digest)), {
          verificationMaterial: {
            publicKey: { hint: '' },
            tlogEntries: Array(LIMITS.witnesses + 1).fill({
              logIndex: '1',
              logId: { keyId: 'AAAA' },
              kindVersion: { kind: 'dsse', version: '0.0.1' },
              integratedTime: '1',
              inclusionPromise: { signedEntryTimestamp: 'AAAA' },
              inclusionProof: { logIndex: '1', treeSize: '1', checkpoint: { envelope: '' } },
              canonicalizedBody: 'AAAA',
            }),
          },
        }),
      'WITNESSES_TOO_MANY',
    ],
  ])('does not count with %s', async (_, bundle, code) => {
    expect(await answers(bundle)).toEqual([code]);
  });
});
