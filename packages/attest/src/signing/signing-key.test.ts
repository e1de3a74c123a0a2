import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { keyAuthority } from '../facts.fixture.ts';
import { generateSigningKey, openSigningKey, publicJwk } from './signing-key.ts';

it('a new key signs what its public key verifies, and has the id that facts name', () => {
  const key = openSigningKey(generateSigningKey());
  const bytes = Buffer.from('signed');
  expect(verify('sha256', bytes, key.publicKey, key.sign(bytes))).toBe(true);
  expect(keyAuthority(key.publicKey)).toMatchObject({ keys: [{ id: key.id }] });
  const { kty, crv, x, y } = publicJwk(key.publicKey);
  expect(createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' })).toEqual(
    createPublicKey(key.publicKey),
  );
});

it('a key of SEC 1 is the same as one of PKCS #8', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ids = (['sec1', 'pkcs8'] as const).map(
    (type) => openSigningKey(privateKey.export({ type, format: 'pem' }).toString()).id,
  );
  expect(new Set(ids).size).toBe(1);
});

const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;

it.each<[string, string, string]>([
  ['nothing', '', 'can not be read'],
  ['text', 'signing', 'can not be read'],
  ['a cut file', ec.privateKey.export(pkcs8).toString().slice(0, 90), 'can not be read'],
  [
    'a public key',
    ec.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    'is a public key',
  ],
  ['P-384', p384.privateKey.export(pkcs8).toString(), 'secp384r1'],
  ['RSA', rsa.privateKey.export(pkcs8).toString(), 'it is rsa'],
  [
    'an encrypted key',
    ec.privateKey.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'x' }).toString(),
    'is encrypted',
  ],
  [
    'a key of cosign',
    '-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----\neyJ9\n-----END ENCRYPTED SIGSTORE PRIVATE KEY-----\n',
    'is encrypted',
  ],
])('%s is refused in words that quote nothing of it', (_, pem, why) => {
  expect(() => openSigningKey(pem)).toThrowError(
    expect.objectContaining({ code: 'SIGNING_KEY_INVALID', message: expect.stringContaining(why) }),
  );
});
