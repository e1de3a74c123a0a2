import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleSigstore } from '../keyless.fixture.ts';
import { issueRoot } from '../notary.fixture.ts';
import { sampleKey } from '../signing.fixture.ts';
import { openAuthority } from './open-authority.ts';

const { pem: P256, privateKey } = sampleKey();
const keys = (text: string) => ({ name: 'release', kind: 'key', keys: text });
const keyless = (change: object = {}) => ({
  name: 'ci',
  kind: 'keyless',
  issuer: 'https://token.actions.githubusercontent.com',
  subject: 'https://github.com/org/app/.github/workflows/release.yml@refs/tags/*',
  root: 'sigstore',
  ...change,
});
const rootOf = (change: object) =>
  JSON.stringify({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    ...change,
  });

describe('an authority is opened', () => {
  it.each<[string, object]>([
    ['a key of P-256', keys(P256)],
    ['a key of P-384', keys(sampleKey('P-384').pem)],
    ['a key of Ed25519', keys(sampleKey('ed25519').pem)],
    ['a key of RSA', keys(sampleKey('rsa').pem)],
    ['several keys', keys(`${P256}\n${sampleKey('P-384').pem}`)],
    ['keys with Windows line ends', keys(P256.replaceAll('\n', '\r\n'))],
    ['a keyless identity of the public Sigstore', keyless()],
    ['a keyless identity with claims', keyless({ claims: { source_ref: 'refs/heads/main' } })],
    ['everybody of an own mail domain', keyless({ subject: '*@example.com' })],
    ['a trust domain of SPIFFE', keyless({ subject: 'spiffe://example.com/**' })],
  ])('%s', (_, authority) => {
    expect(openAuthority(authority).faults).toBeUndefined();
  });
});

const P521 = generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey;
const PRIVATE = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

it('a root with a constraint that no verifier enforces is refused', async () => {
  const { der } = await issueRoot({ critical: '2.5.29.30' });
  const certificates = [{ rawBytes: der.toString('base64') }];
  const root = JSON.parse((await sampleSigstore()).root());
  const limited = { ...root, certificateAuthorities: [{ certChain: { certificates } }] };
  const { faults } = openAuthority(keyless({ root: JSON.stringify(limited) }));
  expect(faults).toEqual([
    { code: 'ROOT_INVALID', field: 'root', params: { extension: '2.5.29.30' } },
  ]);
});

describe('an authority of certificates', () => {
  const certificate = (change: object = {}) => ({
    name: 'vendor',
    kind: 'certificate',
    store: stores.root,
    identities: ['*'],
    ...change,
  });
  const subject = (text: string) => ({ identities: [`x509.subject:${text}`] });
  const stores = { root: '', leaf: '', own: '' };
  beforeAll(async () => {
    const root = await issueRoot();
    const own = await issueRoot({ isAuthority: false, usage: 1 });
    Object.assign(stores, { root: root.pem, leaf: (await root.issue({})).pem, own: own.pem });
  });

  it.each<[string, () => object]>([
    ['a root', () => ({})],
    ['several', () => ({ store: stores.root + stores.own })],
    ['a signer that issued itself', () => ({ store: stores.own })],
    [
      'signing authorities alone',
      () => ({ store: undefined, signing_authority_store: stores.root }),
    ],
    ['timestamp authorities', () => ({ timestamp_store: stores.root })],
    ['a name', () => subject(' C=US, ST=WA, O=Example\\, Inc., CN=a=b')],
    [
      'several names',
      () => ({ identities: ['x509.subject: C=a,ST=b,O=c', 'x509.subject: C=a,S=b,O=d'] }),
    ],
  ])('is opened with %s', (_, change) => {
    expect(openAuthority(certificate(change())).faults).toBeUndefined();
  });

  it.each<[string, () => object, string, string]>([
    ['no store', () => ({ store: undefined }), 'STORE_MISSING', 'store'],
    ['a store that is no PEM', () => ({ store: 'none' }), 'STORE_INVALID', 'store'],
    ['a key in the store', () => ({ store: P256 }), 'STORE_INVALID', 'store'],
    [
      'half a certificate',
      () => ({ store: stores.root.replace(/\n.*\n-----END/, '\n-----END') }),
      'STORE_INVALID',
      'store',
    ],
    [
      'a certificate that another one issued',
      () => ({ store: stores.leaf }),
      'STORE_CERTIFICATE_UNFIT',
      'store',
    ],
    [
      'the same among timestamp authorities',
      () => ({ timestamp_store: stores.leaf }),
      'STORE_CERTIFICATE_UNFIT',
      'timestamp_store',
    ],
    ['no identity', () => ({ identities: [] }), 'FIELD_INVALID', 'identities'],
    [
      'everybody and one more',
      () => ({ identities: ['*', '*'] }),
      'IDENTITY_INVALID',
      'identities',
    ],
    ['another kind of name', () => ({ identities: ['dns:a'] }), 'IDENTITY_INVALID', 'identities'],
    ['a name without its state', () => subject('C=US,O=Example'), 'IDENTITY_INVALID', 'identities'],
    ['a part twice', () => subject('C=a,ST=b,O=c,O=d'), 'IDENTITY_INVALID', 'identities'],
    ['two in one part', () => subject('C=a,ST=b+L=x,O=c'), 'IDENTITY_INVALID', 'identities'],
    ['bytes', () => subject('C=a,ST=b,O=#04024869'), 'IDENTITY_INVALID', 'identities'],
    ['an empty part', () => subject('C=a,ST=,O=c'), 'IDENTITY_INVALID', 'identities'],
    ['no part', () => subject('C=a,ST=b,O=c,x'), 'IDENTITY_INVALID', 'identities'],
  ])('is refused with %s', (_, change, code, field) => {
    expect(openAuthority(certificate(change())).faults).toMatchObject([{ code, field }]);
  });
});

describe('every wrong authority has a stated answer', () => {
  it.each<[string, unknown, string, string]>([
    ['nothing', undefined, 'FIELD_INVALID', ''],
    ['a text', 'key', 'FIELD_INVALID', ''],
    ['an unknown kind', { ...keys(P256), kind: 'pgp' }, 'FIELD_INVALID', 'kind'],
    ['an unknown field', { ...keys(P256), key: P256 }, 'FIELD_INVALID', ''],
    ['a name with spaces', { ...keys(P256), name: 'my keys' }, 'FIELD_INVALID', 'name'],
    ['no key', keys(''), 'FIELD_INVALID', 'keys'],
    ['a text that is no PEM', keys('ecdsa AAAA'), 'KEY_INVALID', 'keys'],
    ['text around the key', keys(`trust me\n${P256}`), 'KEY_INVALID', 'keys'],
    ['half a key', keys(P256.replace(/\n.*\n-----END/, '\n-----END')), 'KEY_INVALID', 'keys'],
    ['a private key', keys(PRIVATE), 'KEY_IS_PRIVATE', 'keys'],
    [
      'an encrypted private key of cosign',
      keys(PRIVATE.replaceAll(' PRIVATE', ' ENCRYPTED SIGSTORE PRIVATE')),
      'KEY_IS_PRIVATE',
      'keys',
    ],
    [
      'a certificate',
      keys(P256.replaceAll('PUBLIC KEY', 'CERTIFICATE')),
      'KEY_IS_CERTIFICATE',
      'keys',
    ],
    ['21 keys', keys(P256.repeat(21)), 'KEYS_TOO_MANY', 'keys'],
    ['RSA of 1,024 bits', keys(sampleKey('rsa', 1024).pem), 'KEY_TOO_SHORT', 'keys'],
    [
      'a curve that cosign does not write',
      keys(P521.export({ type: 'spki', format: 'pem' }).toString()),
      'KEY_TYPE_REFUSED',
      'keys',
    ],
    ['a pattern as the issuer', keyless({ issuer: 'https://*' }), 'ISSUER_INVALID', 'issuer'],
    ['an issuer with a space', keyless({ issuer: 'https://a b' }), 'ISSUER_INVALID', 'issuer'],
    ['any identity', keyless({ subject: '**' }), 'PATTERN_TOO_WIDE', 'subject'],
    [
      'any identity of a shared provider',
      keyless({ subject: 'https://github.com/**' }),
      'PATTERN_TOO_WIDE',
      'subject',
    ],
    [
      'organisations that begin alike',
      keyless({ subject: 'https://github.com/org**' }),
      'PATTERN_TOO_WIDE',
      'subject',
    ],
    ['any host', keyless({ subject: 'https://**/app/x' }), 'PATTERN_TOO_WIDE', 'subject'],
    ['any mail domain', keyless({ subject: 'admin@*' }), 'PATTERN_TOO_WIDE', 'subject'],
    ['an unknown claim', keyless({ claims: { actor: 'x' } }), 'FIELD_INVALID', 'claims'],
    ['a root that is no JSON', keyless({ root: 'sigstore.dev' }), 'ROOT_INVALID', 'root'],
    ['a root of another type', keyless({ root: '{"mediaType":"x"}' }), 'ROOT_INVALID', 'root'],
    ['a root without anything', keyless({ root: rootOf({}) }), 'ROOT_EMPTY', 'root'],
    [
      'a root with a damaged certificate',
      keyless({
        root: rootOf({
          certificateAuthorities: [{ certChain: { certificates: [{ rawBytes: 'AAAA' }] } }],
        }),
      }),
      'ROOT_INVALID',
      'root',
    ],
  ])('%s', (_, authority, code, field) => {
    expect(openAuthority(authority).faults).toMatchObject([{ code, field }]);
  });
});
