import { beforeAll, describe, expect, it } from 'vitest';
import { answersOf, factsOf, opened } from '../facts.fixture.ts';
import {
  certificatePem,
  dsseBody,
  hashedBody,
  ISSUER,
  keylessBundle,
  LOG_URL,
  rekor2Body,
  type SampleEntry,
  type SampleSigner,
  type SampleSigstore,
  SUBJECT,
  sampleSigstore,
  type Witnesses,
  withoutTime,
} from '../keyless.fixture.ts';
import { issueRoot } from '../notary.fixture.ts';
import { attachByTag, attachReferrer, sampleRepository } from '../repository.fixture.ts';
import {
  bundleLayer,
  DSSE,
  envelope,
  keyBundle,
  type SampleEnvelope,
  sampleKey,
  simpleSigning,
  simpleSigningLayer,
  statement,
} from '../signing.fixture.ts';

let sigstore: SampleSigstore;
beforeAll(async () => {
  sigstore = await sampleSigstore();
});

const keyless = (change: object = {}, of = sigstore) =>
  opened({
    name: 'ci',
    kind: 'keyless',
    issuer: ISSUER,
    subject: SUBJECT,
    root: of.root(),
    ...change,
  });

const MINUTES = 60_000;
const later = (minutes: number) =>
  new Date(Math.floor(Date.now() / 1000) * 1000 + minutes * MINUTES);

interface Sample {
  readonly signer: SampleSigner;
  readonly signed: SampleEnvelope;
  /** The bytes of its signature. */
  readonly signature: Buffer;
}

/** An image with a bundle, whose witnesses the test makes. */
async function signedImage(
  witnesses: (sample: Sample) => Promise<Witnesses>,
  { of = sigstore, signer }: { of?: SampleSigstore; signer?: SampleSigner } = {},
) {
  const repository = await sampleRepository();
  const by = signer ?? (await of.signer());
  const signed = envelope(by, statement(repository.image.digest));
  const signature = Buffer.from(signed.signatures[0]?.sig ?? '', 'base64');
  const made = await witnesses({ signer: by, signed, signature });
  await attachReferrer(repository, [bundleLayer(keylessBundle(by, signed, made))]);
  return repository;
}

const logged = async ({ signer, signed }: Sample, at?: Date) => ({
  entries: [await sigstore.entry(dsseBody(signer, signed), at)],
});

/** The same with a part of its entry replaced. */
const changed =
  (change: (entry: SampleEntry) => object) =>
  async (sample: Sample): Promise<Witnesses> => {
    const [entry] = (await logged(sample)).entries;
    return { entries: entry ? [{ ...entry, ...change(entry) }] : [] };
  };

describe('a signature of a workflow', () => {
  it('counts, and the fact says who, when, and by which log', async () => {
    const claims = { 12: 'https://github.com/org/app', 14: 'refs/tags/v1' };
    const signer = await sigstore.signer({ claims });
    const repository = await signedImage((sample) => logged(sample), { signer });
    const [fact] = await factsOf(repository, [keyless()]);
    expect(fact?.verified).toEqual({
      signer: {
        kind: 'keyless',
        issuer: ISSUER,
        subject: SUBJECT,
        claims: { source_repository: 'https://github.com/org/app', source_ref: 'refs/tags/v1' },
      },
      time: { at: expect.any(Date), source: 'LOG', by: LOG_URL },
      log: LOG_URL,
      until: null,
    });
  });

  it.each<[string, (sample: Sample) => Promise<Witnesses>]>([
    ['a promise of the log alone, as of cosign 2', changed(() => ({ inclusionProof: undefined }))],
    [
      'a proof and a timestamp, as of Rekor 2',
      async ({ signer, signed, signature }) => ({
        entries: [withoutTime(await sigstore.entry(rekor2Body(signer, signed)))],
        timestamps: [await sigstore.timestamp(signature)],
      }),
    ],
    [
      'a log entry and a timestamp',
      async (sample) => {
        const timestamps = [await sigstore.timestamp(sample.signature)];
        return { ...(await logged(sample)), timestamps };
      },
    ],
  ])('counts with %s', async (_, witnesses) => {
    const mediaType = { mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.1' };
    const repository = await sampleRepository();
    const signer = await sigstore.signer();
    const signed = envelope(signer, statement(repository.image.digest));
    const signature = Buffer.from(signed.signatures[0]?.sig ?? '', 'base64');
    const made = await witnesses({ signer, signed, signature });
    const isOld = made.entries?.some(
      (entry) => !('inclusionProof' in entry && entry.inclusionProof),
    );
    const bundle = { ...keylessBundle(signer, signed, made), ...(isOld && mediaType) };
    await attachReferrer(repository, [bundleLayer(bundle)]);
    expect(await answersOf(repository, keyless())).toEqual(['counts']);
  });

  it('counts with a timestamp alone, where the root has no log', async () => {
    const root = sigstore.root({ tlogs: [] });
    const repository = await signedImage(async ({ signature }) => ({
      timestamps: [await sigstore.timestamp(signature)],
    }));
    const [fact] = await factsOf(repository, [keyless({ root })]);
    const time = { source: 'TIMESTAMP', by: 'https://tsa.example.com' };
    expect(fact?.verified).toMatchObject({ time, log: null });
  });

  it.each<[string, (sample: Sample) => Promise<Witnesses>, string]>([
    ['nothing at all', async () => ({}), 'LOG_ENTRY_MISSING'],
    [
      'a timestamp in place of a log entry (sigstore/sigstore-python #1529)',
      async ({ signature }) => ({ timestamps: [await sigstore.timestamp(signature)] }),
      'LOG_ENTRY_MISSING',
    ],
    [
      'one entry twice (sigstore/sigstore-js #1702)',
      async (sample) => {
        const { entries } = await logged(sample);
        return { entries: [...entries, ...entries] };
      },
      'LOG_ENTRY_REPEATED',
    ],
    [
      'an entry of another signature (GHSA-whqx-f9j3-ch6m)',
      async ({ signer }) => {
        const other = envelope(signer, Buffer.from('{}'));
        return { entries: [await sigstore.entry(dsseBody(signer, other))] };
      },
      'LOG_ENTRY_DIFFERS',
    ],
    [
      'an entry of this signature with another certificate (GHSA-whqx-f9j3-ch6m)',
      async ({ signed }) => ({
        entries: [await sigstore.entry(dsseBody(await sigstore.signer(), signed))],
      }),
      'LOG_ENTRY_DIFFERS',
    ],
    [
      'an entry of Rekor 2 with another certificate',
      async ({ signed, signature }) => ({
        entries: [withoutTime(await sigstore.entry(rekor2Body(await sigstore.signer(), signed)))],
        timestamps: [await sigstore.timestamp(signature)],
      }),
      'LOG_ENTRY_DIFFERS',
    ],
    [
      'an entry of Rekor 2 without a timestamp',
      async ({ signer, signed }) => ({
        entries: [withoutTime(await sigstore.entry(rekor2Body(signer, signed)))],
      }),
      'TIMESTAMP_MISSING',
    ],
    [
      'an entry of another kind',
      async () => ({ entries: [await sigstore.entry({ kind: 'rpm', apiVersion: '0.0.1' })] }),
      'LOG_ENTRY_UNKNOWN',
    ],
    [
      'an entry of another log',
      async ({ signer, signed }) => {
        const other = await sampleSigstore();
        return { entries: [await other.entry(dsseBody(signer, signed))] };
      },
      'LOG_ENTRY_INVALID',
    ],
    [
      'a time that the log did not sign (sigstore/sigstore-rust #160)',
      changed(({ integratedTime }) => ({ integratedTime: String(Number(integratedTime) + 1) })),
      'LOG_ENTRY_INVALID',
    ],
    [
      'a time that is only said, with a proof that has none',
      changed(() => ({ inclusionPromise: undefined })),
      'TIMESTAMP_MISSING',
    ],
    [
      'a proof of another entry',
      changed(({ inclusionProof }) => ({
        inclusionProof: { ...inclusionProof, hashes: [Buffer.alloc(32).toString('base64')] },
      })),
      'LOG_ENTRY_INVALID',
    ],
    [
      'a number of a thousand digits',
      changed(() => ({ logIndex: '9'.repeat(1000) })),
      'FORMAT_INVALID',
    ],
    [
      'an entry whose text is no JSON',
      changed(() => ({ canonicalizedBody: Buffer.from('{').toString('base64') })),
      'LOG_ENTRY_INVALID',
    ],
    [
      'an entry that was made when the certificate had ended',
      async (sample) => logged(sample, later(20)),
      'CERTIFICATE_OUT_OF_DATE',
    ],
    [
      'an entry that was made before the certificate began',
      async (sample) => logged(sample, later(-20)),
      'CERTIFICATE_OUT_OF_DATE',
    ],
    [
      'a timestamp of another signature',
      async (sample) => ({
        ...(await logged(sample)),
        timestamps: [await sigstore.timestamp(Buffer.from('another'))],
      }),
      'TIMESTAMP_INVALID',
    ],
    [
      'a timestamp of an unknown authority',
      async (sample) => {
        const other = await sampleSigstore();
        return { ...(await logged(sample)), timestamps: [await other.timestamp(sample.signature)] };
      },
      'TIMESTAMP_INVALID',
    ],
    [
      'a timestamp that is none',
      async (sample) => ({ ...(await logged(sample)), timestamps: ['AAAA'] }),
      'TIMESTAMP_INVALID',
    ],
  ])('does not count with %s', async (_, witnesses, code) => {
    const repository = await signedImage(witnesses);
    expect(await answersOf(repository, keyless())).toEqual([code]);
  });

  it('counts only if each of its times is within the certificate (sigstore/sigstore-rust #160)', async () => {
    const of = await sampleSigstore({ timestampsAt: later(20) });
    const repository = await signedImage(
      async ({ signer, signed, signature }) => ({
        entries: [await of.entry(dsseBody(signer, signed))],
        timestamps: [await of.timestamp(signature)],
      }),
      { of },
    );
    expect(await answersOf(repository, keyless({}, of))).toEqual(['CERTIFICATE_OUT_OF_DATE']);
  });

  it('does not count without the promise of a log of certificates', async () => {
    const of = await sampleSigstore({ withoutSct: true });
    const repository = await signedImage(
      async ({ signer, signed }) => ({ entries: [await of.entry(dsseBody(signer, signed))] }),
      { of },
    );
    expect(await answersOf(repository, keyless({}, of))).toEqual(['SCT_MISSING']);
  });

  it('does not count for another root, nor for the public one', async () => {
    const repository = await signedImage((sample) => logged(sample));
    const other = JSON.parse((await sampleSigstore()).root());
    const authorities = ['certificateAuthorities', 'ctlogs', 'tlogs'].map((part) =>
      keyless({ root: sigstore.root({ [part]: other[part] }) }),
    );
    const answers = await answersOf(repository, ...authorities, keyless({ root: 'sigstore' }));
    expect(answers).toEqual([
      'CERTIFICATE_UNTRUSTED',
      'CERTIFICATE_UNTRUSTED',
      'LOG_ENTRY_INVALID',
      'CERTIFICATE_UNTRUSTED',
    ]);
  });

  it.each<[string, string]>([
    ['the authority for certificates', 'certificateAuthorities'],
    ['the log', 'tlogs'],
  ])('does not count after %s of the root has ended', async (_, part) => {
    const root = JSON.parse(sigstore.root());
    const end = later(-60).toISOString();
    const ended = root[part].map((each: { publicKey?: object }) =>
      each.publicKey
        ? { ...each, publicKey: { ...each.publicKey, validFor: { start: later(-90), end } } }
        : { ...each, validFor: { start: later(-90), end } },
    );
    const repository = await signedImage((sample) => logged(sample));
    const [answer] = await answersOf(
      repository,
      keyless({ root: sigstore.root({ [part]: ended }) }),
    );
    expect(answer).toBe(part === 'tlogs' ? 'LOG_ENTRY_INVALID' : 'CERTIFICATE_UNTRUSTED');
  });

  it('does not count with the signature of another key under the certificate', async () => {
    const signer = { ...(await sigstore.signer()), privateKey: sampleKey().privateKey };
    const repository = await signedImage((sample) => logged(sample), { signer });
    expect(await answersOf(repository, keyless())).toEqual(['SIGNATURE_INVALID']);
  });

  it.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['bytes that are none', () => Buffer.from('certificate'), 'CERTIFICATE_INVALID'],
    ['no end', () => Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), 'CERTIFICATE_INVALID'],
    ['a thousand levels', () => Buffer.alloc(4000, '3080', 'hex'), 'CERTIFICATE_INVALID'],
    ['20,000 bytes', () => Buffer.alloc(20_000), 'FORMAT_INVALID'],
    [
      'a critical extension that is not known',
      async () => {
        const input = { uses: ['1.3.6.1.5.5.7.3.3'], critical: '1.2.3' };
        return (await (await issueRoot()).issue(input)).der;
      },
      'CERTIFICATE_UNFIT',
    ],
    [
      'a key with a large exponent',
      async () => (await (await issueRoot()).issue({ rsa: 2048, exponent: 0x80000001 })).der,
      'CERTIFICATE_UNFIT',
    ],
    ['one for timestamps', () => sigstore.timestampCertificate, 'CERTIFICATE_UNFIT'],
  ])('does not count with a certificate of %s', async (_, certificate, code) => {
    const signer = { ...(await sigstore.signer()), certificate: await certificate() };
    const repository = await signedImage((sample) => logged(sample), { signer });
    expect(await answersOf(repository, keyless())).toEqual([code]);
  });

  it('does not count without a certificate', async () => {
    const repository = await sampleRepository();
    const key = sampleKey();
    const bundle = keyBundle(envelope(key, statement(repository.image.digest)));
    await attachReferrer(repository, [bundleLayer(bundle)]);
    expect(await answersOf(repository, keyless())).toEqual(['CERTIFICATE_MISSING']);
  });
});

describe('who signed', () => {
  const answers = async (options: object, ...authorities: object[]) => {
    const signer = await sigstore.signer(options);
    const repository = await signedImage((sample) => logged(sample), { signer });
    return answersOf(repository, ...authorities.map((change) => keyless(change)));
  };

  it.each<[string, object]>([
    ['a prefix of the identity', { subject: SUBJECT.slice(0, -1) }],
    ['an identity of which ours is a prefix', { subject: `${SUBJECT}0` }],
    ['the workflow of another repository', { subject: SUBJECT.replace('/app/', '/app-fork/') }],
    ['another branch', { subject: SUBJECT.replace('refs/tags/v1', 'refs/heads/main') }],
    ['the letters of a regular expression', { subject: SUBJECT.replace('.yml', 'Xyml') }],
  ])('is not %s', async (_, options) => {
    expect(await answers(options, {})).toEqual(['SUBJECT_DIFFERS']);
  });

  it.each<[string, string, string]>([
    ['an issuer that begins alike', `${ISSUER}.example.com`, 'ISSUER_DIFFERS'],
    ['an issuer with a slash at its end', `${ISSUER}/`, 'ISSUER_DIFFERS'],
  ])('is not %s', async (_, issuer, code) => {
    expect(await answers({ issuer }, {})).toEqual([code]);
  });

  it('is no identity with letters that the library reads as others', async () => {
    const subject = SUBJECT.replace(/1$/, '\u00b1');
    expect(await answers({ subject }, {})).toEqual(['CERTIFICATE_INVALID']);
  });

  it('is no identity with two issuers', async () => {
    expect(await answers({ oldIssuer: 'https://example.com' }, {})).toEqual([
      'CERTIFICATE_INVALID',
    ]);
  });

  it('is named where it differs (GHSA-46mp-8w32-6g94)', async () => {
    const signer = await sigstore.signer({ subject: 'https://example.com/mallory' });
    const repository = await signedImage((sample) => logged(sample), { signer });
    const [fact] = await factsOf(repository, [keyless()]);
    const params = { subject: 'https://example.com/mallory' };
    expect(fact?.reason).toEqual({ code: 'SUBJECT_DIFFERS', params });
  });

  it('may be a pattern, as people write it in the field of the identity (kyverno/website #2174)', async () => {
    const subject = 'https://github.com/org/app/.github/workflows/*@refs/tags/*';
    expect(await answers({}, { subject })).toEqual(['counts']);
  });

  it('has the claims that an authority asks for', async () => {
    const claims = { 11: 'github-hosted', 14: 'refs/tags/v1' };
    const asked = [
      { claims: { runner_environment: 'github-hosted' } },
      { claims: { source_ref: 'refs/tags/*' } },
      { claims: { source_ref: 'refs/tags/v' } },
      { claims: { source_repository: 'https://github.com/org/app' } },
    ];
    const expected = ['counts', 'counts', 'CLAIM_DIFFERS', 'CLAIM_DIFFERS'];
    expect(await answers({ claims }, ...asked)).toEqual(expected);
  });
});

const SIGNATURE = 'dev.cosignproject.cosign/signature';

describe('signatures of cosign 2', () => {
  const annotationsOf = (signer: SampleSigner, entry: SampleEntry) => ({
    'dev.sigstore.cosign/certificate': certificatePem(signer),
    'dev.sigstore.cosign/bundle': JSON.stringify({
      SignedEntryTimestamp: entry.inclusionPromise?.signedEntryTimestamp,
      Payload: {
        body: entry.canonicalizedBody,
        integratedTime: Number(entry.integratedTime),
        logIndex: Number(entry.logIndex),
        logID: Buffer.from(entry.logId.keyId, 'base64').toString('hex'),
      },
    }),
  });

  it('count, of an image and of an attestation', async () => {
    const repository = await sampleRepository();
    const signer = await sigstore.signer();
    const payload = simpleSigning(repository.image.digest);
    const layer = simpleSigningLayer(signer, payload);
    const signature = layer.annotations?.[SIGNATURE] ?? '';
    const entry = await sigstore.entry(hashedBody(signer, payload, signature));
    const annotations = { ...layer.annotations, ...annotationsOf(signer, entry) };
    await attachByTag(repository, 'sig', [{ ...layer, annotations }]);

    const signed = envelope(signer, statement(repository.image.digest));
    const attested = await sigstore.entry(dsseBody(signer, signed));
    const bytes = Buffer.from(JSON.stringify(signed));
    await attachByTag(repository, 'att', [
      {
        mediaType: DSSE,
        bytes,
        annotations: { [SIGNATURE]: '', ...annotationsOf(signer, attested) },
      },
    ]);
    expect(await answersOf(repository, keyless())).toEqual(['counts', 'counts']);
  });

  it('do not count with the entry of another payload', async () => {
    const repository = await sampleRepository();
    const signer = await sigstore.signer();
    const layer = simpleSigningLayer(signer, simpleSigning(repository.image.digest));
    const signature = layer.annotations?.[SIGNATURE] ?? '';
    const entry = await sigstore.entry(hashedBody(signer, Buffer.from('another'), signature));
    const annotations = { ...layer.annotations, ...annotationsOf(signer, entry) };
    await attachByTag(repository, 'sig', [{ ...layer, annotations }]);
    expect(await answersOf(repository, keyless())).toEqual(['LOG_ENTRY_DIFFERS']);
  });
});
