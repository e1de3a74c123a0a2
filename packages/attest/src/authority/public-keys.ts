/** The public keys of an authority. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { AuthorityRefusal } from './faults.ts';
import { type PemBlock, pemBlocks } from './pem.ts';

export interface PublicKey {
  /** SHA-256 of the key as SubjectPublicKeyInfo. */
  readonly id: string;
  readonly key: KeyObject;
  /** The hashes that its signatures are made with; null for those that have their own. */
  readonly hashes: readonly (string | null)[];
}

const FIELD = 'keys';
const MIN_RSA_BITS = 2048;
/** Each of them is tried on a signature of a stranger, twice for P-384. */
const MAX_KEYS = 20;

/** @throws AuthorityRefusal */
export function openPublicKeys(pem: string): readonly PublicKey[] {
  const blocks = pemBlocks(pem);
  if (!blocks) throw new AuthorityRefusal('KEY_INVALID', FIELD);
  if (blocks.length > MAX_KEYS) {
    throw new AuthorityRefusal('KEYS_TOO_MANY', FIELD, { most: MAX_KEYS });
  }
  return blocks.map(openPublicKey);
}

function openPublicKey({ label, text }: PemBlock): PublicKey {
  if (label.endsWith('PRIVATE KEY')) throw new AuthorityRefusal('KEY_IS_PRIVATE', FIELD);
  if (label === 'CERTIFICATE') throw new AuthorityRefusal('KEY_IS_CERTIFICATE', FIELD);
  const key = parse(text);
  return { key, id: keyId(key), hashes: hashesOf(key) };
}

function parse(text: string): KeyObject {
  try {
    return createPublicKey(text);
  } catch (cause) {
    throw new AuthorityRefusal('KEY_INVALID', FIELD, {}, { cause });
  }
}

export function keyId(key: KeyObject): string {
  const der = key.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(der).digest('hex')}`;
}

/**
 * cosign hashes with SHA-256 whatever the key is, and with the hash of the curve in bundles
 * (sigstore/cosign #5063).
 */
const CURVE_HASHES: Record<string, readonly string[]> = {
  prime256v1: ['sha256'],
  secp384r1: ['sha384', 'sha256'],
};

function hashesOf({
  asymmetricKeyType,
  asymmetricKeyDetails = {},
}: KeyObject): PublicKey['hashes'] {
  if (asymmetricKeyType === 'ed25519') return [null];
  if (asymmetricKeyType === 'rsa') {
    const bits = asymmetricKeyDetails.modulusLength ?? 0;
    if (bits >= MIN_RSA_BITS) return ['sha256'];
    throw new AuthorityRefusal('KEY_TOO_SHORT', FIELD, { bits, least: MIN_RSA_BITS });
  }
  const { namedCurve = '' } = asymmetricKeyDetails;
  const hashes = asymmetricKeyType === 'ec' ? CURVE_HASHES[namedCurve] : undefined;
  if (hashes) return hashes;
  const type = [asymmetricKeyType, namedCurve].filter(Boolean).join(' ');
  throw new AuthorityRefusal('KEY_TYPE_REFUSED', FIELD, { type });
}
