import { ASN1Obj, pem } from '@sigstore/core';
import { decode, encode, Tagged } from 'cborg';
import { beforeAll, describe, expect, it } from 'vitest';
import { answersOf, factsOf, keyAuthority, opened } from '../facts.fixture.ts';
import { type SampleSigstore, sampleSigstore } from '../keyless.fixture.ts';
import {
  type CertificateInput,
  coseLayer,
  type IssuedCertificate,
  issueFrom,
  issueRoot,
  jwsLayer,
  NOTARY,
  type NotaryInput,
  SIGNER,
} from '../notary.fixture.ts';
import {
  attachByTag,
  attachReferrer,
  type LayerInput,
  type SampleRepository,
  sampleRepository,
} from '../repository.fixture.ts';
import { sampleKey, simpleSigning, simpleSigningLayer } from '../signing.fixture.ts';

const PREFIX = 'io.cncf.notary.';
const SCHEME = `${PREFIX}signingScheme`;
const AUTHENTIC = `${PREFIX}authenticSigningTime`;
const EXPIRY = `${PREFIX}expiry`;
const HOUR = 3_600_000;
const later = (hours: number) => new Date(Date.now() + hours * HOUR);

let root: IssuedCertificate;
let leaf: IssuedCertificate;
let tsa: SampleSigstore;
beforeAll(async () => {
  root = await issueRoot();
  leaf = await root.issue({});
  tsa = await sampleSigstore();
});

const authority = (change: object = {}) =>
  opened({ name: 'vendor', kind: 'certificate', store: root.pem, identities: ['*'], ...change });

type Write = (input: NotaryInput) => Promise<LayerInput>;
const ENVELOPES: [string, Write][] = [
  ['JWS', jwsLayer],
  ['COSE', coseLayer],
];

async function signedImage(
  write: Write,
  input: Partial<NotaryInput> = {},
): Promise<SampleRepository> {
  const repository = await sampleRepository();
  const layer = await write({ chain: [leaf, root], target: repository.image, ...input });
  await attachReferrer(repository, [layer], NOTARY);
  return repository;
}

describe.each(ENVELOPES)('a signature in %s', (_, write) => {
  it('counts, and the fact says who', async () => {
    const repository = await signedImage(write);
    const [fact] = await factsOf(repository, [authority()]);
    expect(fact?.verified).toEqual({
      signer: {
        kind: 'certificate',
        subject: SIGNER,
        fingerprint: expect.stringMatching(/^sha256:/),
      },
      time: null,
      log: null,
      until: expect.any(Date),
    });
  });

  it.each<[string, CertificateInput, string]>([
    ['P-384', { curve: 'P-384' }, 'ES384'],
    ['P-521', { curve: 'P-521' }, 'ES512'],
    ['RSA of 2,048 bits', { rsa: 2048 }, 'PS256'],
    ['RSA of 3,072 bits', { rsa: 3072 }, 'PS384'],
  ])('counts with a key of %s', async (_name, key, alg) => {
    const repository = await signedImage(write, { chain: [await root.issue(key), root], alg });
    expect(await answersOf(repository, authority())).toEqual(['counts']);
  });

  it('counts by an authority in between, which the store has', async () => {
    const between = await root.issue({ name: 'C=US, ST=WA, O=Example, CN=I', isAuthority: true });
    const chain = [await between.issue({}), between, root];
    const repository = await signedImage(write, { chain });
    expect(await answersOf(repository, authority({ store: between.pem }))).toEqual(['counts']);
  });

  it('does not count for a key, nor one of a key for a certificate', async () => {
    const repository = await signedImage(write);
    const key = sampleKey();
    await attachByTag(repository, 'sig', [
      simpleSigningLayer(key, simpleSigning(repository.image.digest)),
    ]);
    const answers = await answersOf(repository, keyAuthority(key.pem), authority());
    expect(answers).toEqual(['counts', 'KIND_DIFFERS', 'KIND_DIFFERS', 'counts']);
  });

  const image = { mediaType: 'application/vnd.oci.image.manifest.v1+json', size: 1 } as const;
  it.each<[string, () => Partial<NotaryInput> | Promise<Partial<NotaryInput>>, string]>([
    [
      'another digest',
      () => ({ target: { ...image, digest: `sha256:${'a'.repeat(64)}` } }),
      'DIGEST_DIFFERS',
    ],
    ['no target', () => ({ payload: {} }), 'PAYLOAD_INVALID'],
    [
      'another type of payload',
      () => ({ headers: { cty: 'application/json' } }),
      'PAYLOAD_TYPE_UNKNOWN',
    ],
    [
      'an unknown critical header (veraison/go-cose #23)',
      () => ({ headers: { crit: [SCHEME, 'x'], x: 1 } }),
      'CRITICAL_HEADER_UNKNOWN',
    ],
    [
      'a plugin that would have to verify it',
      () => ({ headers: { [`${PREFIX}verificationPlugin`]: 'com.example.x' } }),
      'CRITICAL_HEADER_UNKNOWN',
    ],
    ['no list of critical headers', () => ({ headers: { crit: undefined } }), 'HEADER_INVALID'],
    ['a scheme that is not critical', () => ({ headers: { crit: [] } }), 'HEADER_INVALID'],
    ['an end that is not critical', () => ({ headers: { [EXPIRY]: later(1) } }), 'HEADER_INVALID'],
    ['a critical header twice', () => ({ headers: { crit: [SCHEME, SCHEME] } }), 'HEADER_INVALID'],
    ['no time', () => ({ headers: { [`${PREFIX}signingTime`]: undefined } }), 'HEADER_INVALID'],
    [
      'a time that is none',
      () => ({ headers: { [`${PREFIX}signingTime`]: 'yesterday' } }),
      'HEADER_INVALID',
    ],
    [
      'an end before its time',
      () => ({ headers: { crit: [SCHEME, EXPIRY], [EXPIRY]: later(-1) } }),
      'HEADER_INVALID',
    ],
    [
      'the time of the other scheme as well',
      () => ({ headers: { [AUTHENTIC]: later(0) } }),
      'HEADER_INVALID',
    ],
    [
      'an unknown scheme',
      () => ({ headers: { [SCHEME]: 'notary.pgp' } }),
      'SIGNING_SCHEME_UNKNOWN',
    ],
    ['an unknown algorithm', () => ({ headers: { alg: 'none' } }), 'ALGORITHM_UNKNOWN'],
    [
      'an algorithm that is not of its key',
      () => ({ headers: { alg: 'ES384' } }),
      'ALGORITHM_UNKNOWN',
    ],
    [
      'the signature of another key',
      async () => ({ chain: [{ ...leaf, privateKey: (await root.issue({})).privateKey }, root] }),
      'SIGNATURE_INVALID',
    ],
    ['no certificate', () => ({ chain: [] }), 'CERTIFICATE_MISSING'],
    ['nine certificates', () => ({ chain: Array(9).fill(leaf) }), 'FORMAT_INVALID'],
    [
      'a certificate that is none',
      () => ({ chain: [{ ...leaf, der: Buffer.from('none') }, root] }),
      'CERTIFICATE_INVALID',
    ],
    ['a chain without its root', () => ({ chain: [leaf] }), 'CERTIFICATE_UNTRUSTED'],
    ['a root twice', () => ({ chain: [leaf, root, root] }), 'CERTIFICATE_UNTRUSTED'],
    [
      'another root of the same name',
      async () => {
        const other = await issueRoot();
        return { chain: [await other.issue({}), other] };
      },
      'CERTIFICATE_UNTRUSTED',
    ],
    [
      'a certificate that another root of the same name issued',
      async () => ({ chain: [await (await issueRoot()).issue({}), root] }),
      'CERTIFICATE_UNTRUSTED',
    ],
  ])('does not count with %s', async (_name, input, code) => {
    const repository = await signedImage(write, await input());
    expect(await answersOf(repository, authority())).toEqual([code]);
  });

  it.each([{ size: 1 }, { mediaType: 'application/vnd.docker.distribution.manifest.v2+json' }])(
    'does not count for the digest with another %o',
    async (change) => {
      const repository = await sampleRepository();
      const target = { ...repository.image, ...change };
      const layer = await write({ chain: [leaf, root], target });
      await attachReferrer(repository, [layer], NOTARY);
      expect(await answersOf(repository, authority())).toEqual(['PAYLOAD_INVALID']);
    },
  );

  it.each<[string, CertificateInput]>([
    ['a key with a large exponent', { rsa: 2048, exponent: 0x80000001 }],
    ['no usage', { usage: 0 }],
    ['a usage that is not critical', { isUsageCritical: false }],
    ['the usage of an authority', { usage: 1 | 32 }],
    ['the usage of keys', { usage: 1 | 4 }],
    ['the extended usage of servers', { uses: ['1.3.6.1.5.5.7.3.1'] }],
    ['the extended usage of timestamps', { uses: ['1.3.6.1.5.5.7.3.3', '1.3.6.1.5.5.7.3.8'] }],
    ['any extended usage', { uses: ['1.3.6.1.5.5.7.3.3', '2.5.29.37.0'] }],
    ['the mark of an authority', { isAuthority: true, usage: 1 }],
    ['SHA-1', { hash: 'SHA-1' }],
    ['a critical extension that is not known', { critical: '1.2.3' }],
  ])('does not count with a certificate of %s', async (_name, input) => {
    const repository = await signedImage(write, { chain: [await root.issue(input), root] });
    expect(await answersOf(repository, authority())).toEqual(['CERTIFICATE_UNFIT']);
  });

  it.each<[string, CertificateInput, CertificateInput]>([
    ['is none', {}, { isAuthority: false, usage: 32 }],
    ['may not issue certificates', {}, { isAuthority: true, usage: 1 }],
    ['is further away than its issuer allows', { pathLength: 0 }, { isAuthority: true }],
  ])('does not count where an authority in between %s', async (_name, top, middle) => {
    const above = await issueRoot(top);
    const between = await above.issue({ name: 'C=US, ST=WA, O=Example, CN=I', ...middle });
    const repository = await signedImage(write, {
      chain: [await between.issue({}), between, above],
    });
    const answers = await answersOf(repository, authority({ store: above.pem }));
    expect(answers).toEqual(['CERTIFICATE_UNFIT']);
  });

  it('counts with a certificate that issued itself, where the store has it', async () => {
    const own = await issueRoot({ name: SIGNER, isAuthority: false, usage: 1 });
    const repository = await signedImage(write, { chain: [own] });
    const answers = await answersOf(repository, authority({ store: own.pem }), authority());
    expect(answers).toEqual(['counts', 'CERTIFICATE_UNTRUSTED']);
  });

  it.each<[string[], string]>([
    [['x509.subject: C=US, ST=WA, O=Example'], 'counts'],
    [['x509.subject: C=US, S=WA, O=Example, CN=Release'], 'counts'],
    [['x509.subject: O=Other, C=US, ST=WA', 'x509.subject: C=US, ST=WA, O=Example'], 'counts'],
    [['x509.subject: C=US, ST=WA, O=Exam'], 'IDENTITY_DIFFERS'],
    [['x509.subject: C=US, ST=WA, O=Example, CN=Release2'], 'IDENTITY_DIFFERS'],
    [['x509.subject: C=US, ST=WA, O=Example, OU=Security'], 'IDENTITY_DIFFERS'],
  ])('is of %j: %s', async (identities, answer) => {
    const repository = await signedImage(write);
    expect(await answersOf(repository, authority({ identities }))).toEqual([answer]);
  });

  describe('in time', () => {
    const tokenOf = async (of: SampleSigstore, signature: Buffer) => {
      const answer = ASN1Obj.parseBuffer(Buffer.from(await of.timestamp(signature), 'base64'));
      return answer.subs[1]?.toDER() ?? Buffer.alloc(0);
    };
    const token = (signature: Buffer) => tokenOf(tsa, signature);
    const answersAt = async (
      now: Date,
      input: Partial<NotaryInput>,
      change: object = {},
    ): Promise<string> => {
      const repository = await signedImage(write, input);
      const [fact] = await factsOf(repository, [authority(change)], now);
      return fact?.verified
        ? `counts ${fact.verified.time?.source ?? ''}`.trim()
        : (fact?.reason?.code ?? '');
    };
    const timestamps = () => ({ timestamp_store: tsa.timestampRoot });

    it('ends with the certificate', async () => {
      expect(await answersAt(later(2), {})).toBe('CERTIFICATE_OUT_OF_DATE');
      expect(await answersAt(later(-2), {})).toBe('CERTIFICATE_OUT_OF_DATE');
    });

    it('outlives the certificate with a timestamp of an authority in the store', async () => {
      expect(await answersAt(later(2), { timestamp: token }, timestamps())).toBe(
        'counts TIMESTAMP',
      );
      expect(await answersAt(later(0), { timestamp: token }, timestamps())).toBe('counts');
      expect(await answersAt(later(0), {}, timestamps())).toBe('counts');
      expect(await answersAt(later(2), { timestamp: token })).toBe('CERTIFICATE_OUT_OF_DATE');
      expect(await answersAt(later(2), {}, timestamps())).toBe('TIMESTAMP_MISSING');
    });

    it.each<[string, (signature: Buffer) => Promise<Buffer>]>([
      ['of another signature', () => token(Buffer.from('another'))],
      ['that is none', async () => Buffer.from('none')],
      [
        'of an authority that is not in the store',
        async (signature) => tokenOf(await sampleSigstore(), signature),
      ],
    ])('does not outlive it with a timestamp %s', async (_name, timestamp) => {
      expect(await answersAt(later(2), { timestamp }, timestamps())).toBe('TIMESTAMP_INVALID');
    });

    it('outlives it with a timestamp of either of two authorities of one name, as one follows the other', async () => {
      const { timestampRoot: next } = await sampleSigstore();
      for (const timestamp_store of [tsa.timestampRoot + next, next + tsa.timestampRoot])
        expect(await answersAt(later(2), { timestamp: token }, { timestamp_store })).toBe(
          'counts TIMESTAMP',
        );
    });

    it('does not outlive it with a timestamp that brings along its own root', async () => {
      const other = await sampleSigstore();
      const timestamp = async (signature: Buffer) =>
        enclosing(await tokenOf(other, signature), (certificates) => [
          ...certificates,
          pem.toDER(other.timestampRoot),
        ]);
      const strange = { timestamp_store: root.pem };
      expect(await answersAt(later(2), { timestamp }, strange)).toBe('TIMESTAMP_INVALID');
      const trusted = { timestamp_store: other.timestampRoot };
      expect(await answersAt(later(2), { timestamp }, trusted)).toBe('counts TIMESTAMP');
    });

    it.each([
      ['for timestamps', '1.3.6.1.5.5.7.3.8', 'counts TIMESTAMP'],
      ['for other things', '1.3.6.1.5.5.7.3.3', 'TIMESTAMP_INVALID'],
    ])('takes timestamps of a certificate %s: %s, %s', async (_name, use, answer) => {
      const name = 'CN=tsa signing,O=sigstore.mock';
      const input = { name, keys: tsa.timestampKeys, serial: '02', uses: [use] };
      const signer = await issueFrom(tsa.timestampRoot, tsa.timestampKeys, input);
      const timestamp = async (signature: Buffer) =>
        enclosing(await token(signature), () => [signer]);
      expect(await answersAt(later(2), { timestamp }, timestamps())).toBe(answer);
    });

    it('does not outlive it with a timestamp after the end of the certificate', async () => {
      const chain = [await root.issue({ hours: [-1, -0.5] }), root];
      const answer = await answersAt(later(0), { chain, timestamp: token }, timestamps());
      expect(answer).toBe('CERTIFICATE_OUT_OF_DATE');
    });

    it('ends when its signer says so', async () => {
      const headers = { crit: [SCHEME, EXPIRY], [EXPIRY]: later(0.5) };
      expect(await answersAt(later(0.9), { headers })).toBe('SIGNATURE_EXPIRED');
      expect(await answersAt(later(0), { headers })).toBe('counts');
    });

    it('has to be verified again when it may end', async () => {
      const untilOf = async (input: Partial<NotaryInput>, change: object = {}, now = later(0)) => {
        const [fact] = await factsOf(await signedImage(write, input), [authority(change)], now);
        return fact?.verified?.until;
      };
      const end = new Date(Math.floor(later(0.5).getTime() / 1000) * 1000);
      const headers = { crit: [SCHEME, EXPIRY], [EXPIRY]: end };
      expect(await untilOf({ headers })).toEqual(end);
      const ofCertificate = await untilOf({});
      expect(ofCertificate?.getTime()).toBeGreaterThan(end.getTime());
      expect(ofCertificate?.getTime()).toBeLessThan(later(2).getTime());
      const stamped = { timestamp: token };
      expect(await untilOf(stamped, timestamps())).toEqual(ofCertificate);
      expect(await untilOf(stamped, timestamps(), later(2))).toBeNull();
    });

    it('is that of a signing authority, whose store is apart', async () => {
      const headers = {
        crit: [SCHEME, AUTHENTIC],
        [SCHEME]: 'notary.x509.signingAuthority',
        [`${PREFIX}signingTime`]: undefined,
        [AUTHENTIC]: later(-0.5),
      };
      const stores = { store: undefined, signing_authority_store: root.pem };
      expect(await answersAt(later(2), { headers }, stores)).toBe('counts SIGNING_AUTHORITY');
      expect(await answersAt(later(0), { headers })).toBe('CERTIFICATE_UNTRUSTED');
      expect(await answersAt(later(0), {}, stores)).toBe('CERTIFICATE_UNTRUSTED');
      const early = { ...headers, [AUTHENTIC]: later(-3) };
      expect(await answersAt(later(0), { headers: early }, stores)).toBe('CERTIFICATE_OUT_OF_DATE');
    });
  });
});

it('does not count with an end in other letters, which Go reads as one', async () => {
  const repository = await signedImage(jwsLayer, {
    headers: { [`${PREFIX}Expiry`]: later(-1).toISOString() },
  });
  expect(await answersOf(repository, authority())).toEqual(['FORMAT_INVALID']);
});

it('does not count in COSE with a header by its name and by its number', async () => {
  const repository = await sampleRepository();
  const { bytes, ...layer } = await coseLayer({ chain: [leaf, root], target: repository.image });
  const options = { useMaps: true, tags: Tagged.preserve(1, 18) };
  const { value } = decode(bytes, options);
  const [headers, ...rest] = value;
  const doubled = encode(decode(headers, options).set('alg', -7));
  const altered = encode(new Tagged(18, [doubled, ...rest]));
  await attachReferrer(repository, [{ ...layer, bytes: altered }], NOTARY);
  expect(await answersOf(repository, authority())).toEqual(['FORMAT_INVALID']);
});

/** The certificates of a token are not signed, so that any client may change them. */
function enclosing(token: Buffer, change: (certificates: Buffer[]) => Buffer[]): Buffer {
  const content = ASN1Obj.parseBuffer(Buffer.from(token));
  const parts = content.subs[1]?.subs[0]?.subs ?? [];
  const enclosed = parts.find(({ tag }) => tag.isContextSpecific(0))?.subs ?? [];
  const changed = change(enclosed.map((each) => each.toDER()));
  enclosed.splice(
    0,
    enclosed.length,
    ...changed.map((each) => ASN1Obj.parseBuffer(Buffer.from(each))),
  );
  return content.toDER();
}

describe('what is no envelope', () => {
  it.each<[string, string, Uint8Array]>([
    ['no JSON', 'application/jose+json', Buffer.from('{')],
    ['JSON without parts', 'application/jose+json', Buffer.from('{}')],
    ['no CBOR', 'application/cose', Buffer.from([0xff])],
    ['CBOR without its tag', 'application/cose', Buffer.from([0x84, 0x40, 0xa0, 0x40, 0x40])],
    ['CBOR of a thousand levels', 'application/cose', Buffer.alloc(100_000, 0x81)],
    ['COSE without parts', 'application/cose', Buffer.from([0xd2, 0x80])],
    [
      'COSE with a part too many',
      'application/cose',
      Buffer.from([0xd2, 0x85, 0x40, 0xa0, 0x40, 0x40, 0x40]),
    ],
    ['JWS in the place of COSE', 'application/cose', Buffer.from('{}')],
  ])('is a fact: %s', async (_, mediaType, bytes) => {
    const repository = await sampleRepository();
    await attachReferrer(repository, [{ mediaType, bytes }], NOTARY);
    expect(await answersOf(repository, authority())).toEqual(['FORMAT_INVALID']);
  });

  it('is not read where it is larger than any is', async () => {
    const repository = await sampleRepository();
    const layer = { mediaType: 'application/cose', bytes: Buffer.alloc(200_000) };
    await attachReferrer(repository, [layer], NOTARY);
    expect(await answersOf(repository, authority())).toEqual(['SIGNATURE_TOO_LARGE']);
  });

  it('is no signature in an artifact of another type', async () => {
    const repository = await sampleRepository();
    const layer = await jwsLayer({ chain: [leaf, root], target: repository.image });
    await attachReferrer(repository, [layer], 'application/vnd.oci.empty.v1+json');
    expect(await answersOf(repository, authority())).toEqual([]);
  });
});
