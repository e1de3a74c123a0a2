/** The keys that sign statements: ECDSA over P-256, which every verifier of images reads. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { invalid } from '@portcullis/errors';
import { keyId } from '../authority/public-keys.ts';

export interface SigningKey {
  /** SHA-256 of the public key as SubjectPublicKeyInfo, as facts about signatures name a key. */
  readonly id: string;
  /** PEM. */
  readonly publicKey: string;
  sign(bytes: Uint8Array): Buffer;
}

const CURVE = 'prime256v1';

/** @returns a new private key as PEM */
export function generateSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** @param pem a private key, PKCS #8 or SEC 1. @throws invalid `SIGNING_KEY_INVALID` */
export function openSigningKey(pem: string): SigningKey {
  const key = parsePrivateKey(pem);
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: details } = key;
  if (type !== 'ec' || details?.namedCurve !== CURVE)
    throw refused(`it is ${[type, details?.namedCurve].filter(Boolean).join(' ')}`);
  const publicKey = createPublicKey(key);
  return {
    id: keyId(publicKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (bytes) => sign('sha256', bytes, key),
  };
}

interface PublicJwk {
  kty: string;
  crv: string;
  x: string;
  y: string;
}

/** @param pem a public key of `openSigningKey` */
export function publicJwk(pem: string): PublicJwk {
  const { kty = '', crv = '', x = '', y = '' } = createPublicKey(pem).export({ format: 'jwk' });
  return { kty, crv, x, y };
}

function parsePrivateKey(pem: string) {
  if (pem.includes('ENCRYPTED')) throw refused('it is encrypted; decrypt it first');
  if (pem.includes('PUBLIC KEY')) throw refused('it is a public key');
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw refused('it can not be read', cause);
  }
}

/** The text may be secret: it is never quoted. */
function refused(why: string, cause?: unknown) {
  const text = 'the signing key has to be a private key in PEM, ECDSA over P-256 (prime256v1)';
  return invalid('SIGNING_KEY_INVALID', `${text}: ${why}`, { cause });
}
